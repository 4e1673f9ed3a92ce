import type { Approval } from "@xworkmate/contracts";

/** A named text of a request; `value` keeps its line breaks. */
export interface AskedField {
	readonly name: string;
	readonly value: string;
}

/** A request in readable form. Anything that is not understood stays in `fields` and in `raw`, so nothing is left out. */
export interface AskedView {
	/** The title, where it says something else than the rest. */
	readonly title?: string;
	readonly description?: string;
	/** A command line with its line breaks. */
	readonly command?: string;
	/** What is shown in its place when there is none. */
	readonly text?: string;
	readonly directory?: string;
	/** Milliseconds, where the agent's field says its unit. */
	readonly limitMs?: number;
	/** As it was sent, where its unit is not said. */
	readonly limit?: string;
	/** Named parts of what it would do: a file's content, what is replaced with what. */
	readonly parts: readonly (AskedField & { readonly is: PartName })[];
	/** Everything else, each under the agent's own name. */
	readonly fields: readonly AskedField[];
	/** The input as it was sent, when it is shown in another form. */
	readonly raw?: string;
}

export type PartName = "file" | "content" | "before" | "after" | "diff" | "url" | "prompt";

const partOf: Readonly<Record<string, PartName>> = {
	...{ file_path: "file", path: "file", filePath: "file", filepath: "file", abs_path: "file", notebook_path: "file" },
	...{ content: "content", new_source: "content" },
	...{ old_string: "before", oldString: "before", oldText: "before", before: "before" },
	...{ new_string: "after", newString: "after", newText: "after", after: "after" },
	...{ diff: "diff", patch: "diff", patchText: "diff" },
	...{ url: "url", prompt: "prompt" },
};
const descriptions: ReadonlySet<string> = new Set(["description", "justification", "reason"]);
const directories: ReadonlySet<string> = new Set(["cwd", "workdir", "working_directory", "workingDirectory", "directory", "dir_path"]);
const limits: Readonly<Record<string, number>> = { timeout_ms: 1, timeoutMs: 1, timeout_secs: 1_000, timeout_seconds: 1_000 };

/** Gemini puts the directory and the description of a command into one text, and the command into the title. */
const PLACE_AND_WORDS = /^\[(?:current working directory|in) ([^\n\]]+)\](?: \(([\s\S]*)\))?$/;

/** Reads a request of whatever form an agent gives it. Pure, never throws. */
export function askedView({ title, toolKind, input, directory }: Pick<Approval, "title" | "toolKind" | "input" | "directory">): AskedView {
	const elsewhere = directory === undefined ? {} : { directory };
	const nothing = { parts: [], fields: [], ...elsewhere };
	const isCommand = toolKind === "execute";
	if (input === undefined || input.text === "" || input.text === title)
		return { ...nothing, ...(isCommand ? { command: title } : { text: title }) };
	const object = input.truncated ? undefined : objectIn(input.text);
	if (object !== undefined) return fromObject(object, input.text, title, elsewhere);
	const place = isCommand && !input.truncated ? PLACE_AND_WORDS.exec(input.text) : null;
	if (place === null) return { ...nothing, title, text: input.text };
	const [, named, words] = place;
	const description = words === undefined || words === "" ? {} : { description: words };
	return { ...nothing, command: title, ...description, ...(named === undefined ? {} : { directory: directory ?? named }) };
}

function fromObject(object: object, raw: string, title: string, elsewhere: { readonly directory?: string }): AskedView {
	const view: { -readonly [K in keyof AskedView]: AskedView[K] } = { parts: [], fields: [], ...elsewhere };
	const parts: AskedView["parts"][number][] = [];
	const fields: AskedField[] = [];
	for (const [name, value] of Object.entries(object)) {
		const line = name === "command" || name === "cmd" ? commandIn(value) : undefined;
		const part = Object.hasOwn(partOf, name) ? partOf[name] : undefined;
		const unit = Object.hasOwn(limits, name) ? limits[name] : undefined;
		if (line !== undefined && view.command === undefined) view.command = line;
		else if (descriptions.has(name) && typeof value === "string" && view.description === undefined) view.description = value;
		else if (directories.has(name) && typeof value === "string" && view.directory === undefined) view.directory = value;
		else if (unit !== undefined && typeof value === "number" && view.limitMs === undefined) view.limitMs = value * unit;
		else if (name === "timeout" && typeof value === "number") view.limit = String(value);
		else if (part !== undefined && typeof value === "string") parts.push({ name, value, is: part });
		else fields.push({ name, value: typeof value === "string" ? value : JSON.stringify(value, undefined, "  ") });
	}
	view.parts = parts;
	view.fields = fields;
	const isWhole = view.command === title && Object.keys(object).length === 1;
	if (!isWhole) view.raw = raw;
	// A title that only repeats what is shown says nothing; where nothing else is shown, it is all there is.
	const said = view.command ?? parts.find(({ is }) => is === "file")?.value;
	const repeats = said !== undefined && said !== "" && (title.endsWith(said) || said.startsWith(title));
	if (!repeats) view.title = title;
	if (view.command === undefined && parts.length === 0 && fields.length === 0) view.text = raw;
	return view;
}

function objectIn(text: string): object | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
	} catch {
		// Not JSON: it is shown as it is.
		return undefined;
	}
}

/** A command in one text, or word for word. */
function commandIn(value: unknown): string | undefined {
	if (typeof value === "string") return value === "" ? undefined : value;
	if (!Array.isArray(value) || value.length === 0 || !value.every((word) => typeof word === "string")) return undefined;
	return value.map((word) => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}
