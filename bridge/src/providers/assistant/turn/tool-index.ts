import type { ToolCatalogue } from "../../../ports/tools/tool-hosts.ts";

/** The maximum number of characters that the instructions spend on tools: about 2,000 tokens. */
const CATALOGUE_CHARACTERS = 8_000;
const FOUND = 25;

interface IndexedTool {
	readonly toolId: string;
	readonly line: string;
	readonly words: string;
	readonly declaration: string | undefined;
}

/** The integrations' tools, described for a model. The declarations come from the tools' code, and are quoted as types, never as prose. */
export class ToolIndex {
	readonly #tools: readonly IndexedTool[];

	constructor({ tools, declarations }: ToolCatalogue) {
		const declared = declarationsByName(declarations);
		this.#tools = [...tools].map(([name, { toolId, risk }]) => {
			const line = `tools.${name} (${toolId}, ${risk})`;
			return { toolId, line, words: `${name} ${toolId} ${risk}`.toLowerCase(), declaration: declared.get(name) };
		});
	}

	/** One line for each tool, up to the limit, and how many more tools there are. */
	summary(): string {
		if (this.#tools.length === 0) return "There are no integrations yet.";
		const lines: string[] = [];
		let left = CATALOGUE_CHARACTERS - 100;
		for (const { line } of this.#tools) {
			left -= line.length + 1;
			if (left < 0) break;
			lines.push(line);
		}
		const more = this.#tools.length - lines.length;
		return [...lines, ...(more === 0 ? [] : [`and ${more} more: search with find_tools`])].join("\n");
	}

	/** Up to `FOUND` tools whose names, ids or risks contain words of the query, those with the most matching words first. */
	find(query: string): string {
		const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
		const scored = this.#tools
			.map((tool) => ({ tool, score: words.filter((word) => tool.words.includes(word)).length }))
			.filter(({ score }) => score > 0)
			.sort((one, other) => other.score - one.score);
		if (scored.length === 0) return "No tool has any of these words in its name. Try others; tools are named integration.resource.action.";
		return scored
			.slice(0, FOUND)
			.map(({ tool }) => tool.line)
			.join("\n");
	}

	/** The declarations of these tools, with a note for each id that does not exist. */
	describe(toolIds: readonly string[]): string {
		return toolIds
			.map((toolId) => {
				const found = this.#tools.find((tool) => tool.toolId === toolId);
				if (found === undefined) return `There is no tool ${JSON.stringify(toolId)}.`;
				return `// ${found.line}\n${found.declaration ?? "// its declaration is not known"}`;
			})
			.join("\n");
	}
}

/** The declaration of each member of `tools`, by name. Each declaration is on a line of its own, within the group of its integration. */
function declarationsByName(declarations: string): ReadonlyMap<string, string> {
	const found = new Map<string, string>();
	let group = "";
	for (const line of declarations.split("\n")) {
		group = /^\treadonly (\w+): \{$/.exec(line)?.[1] ?? group;
		const method = /^\t\t(\w+)\(/.exec(line)?.[1];
		if (method !== undefined) found.set(`${group}.${method}`, `tools.${group}.${line.trim()}`);
	}
	return found;
}
