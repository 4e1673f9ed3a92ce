import { readFileSync } from "node:fs";
import { importRules } from "../house/import-arrows.ts";

const begin = "<!-- layers, written by npm run generate -->";
const end = "<!-- end of layers -->";

/**
 * docs/architecture.md with its table of layers generated from the current import rules.
 * @throws RangeError for a page without the markers for it
 */
export function architecturePage(): string {
	const page = readFileSync(new URL("../../docs/architecture.md", import.meta.url), "utf8");
	const [before, rest] = page.split(begin);
	const after = rest?.split(end)[1];
	if (before === undefined || after === undefined) throw new RangeError(`docs/architecture.md has no "${begin}"`);
	return `${before}${begin}\n${layerTable()}\n${end}${after}`;
}

function layerTable(): string {
	const rows = importRules().map(
		({ name, mayImport }) => `| \`${name}\` | ${mayImport.map((other) => `\`${other}\``).join(", ") || "nothing"} |`,
	);
	return ["| layer | may import |", "|---|---|", ...rows].join("\n");
}
