import type { KeptPart } from "./kept-results.ts";
import type { Aim, Result } from "./result.ts";

const columns = ["measured", "", "against", "", "ratio", "aim", ""] as const;
const begin = "<!-- results, written by npm run bench -->";
const end = "<!-- end of results -->";

/** Aligned lines for a terminal. */
export function resultsTable(results: readonly Result[]): string {
	const rows = [columns, ...results.map(cells)];
	const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
	const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
	return rows.map((row) => line(row).trimEnd()).join("\n");
}

/** A page with its table of results replaced. @throws RangeError for a page without the markers for it */
export function withResults(page: string, parts: readonly KeptPart[]): string {
	const [before, rest] = page.split(begin);
	const after = rest?.split(end)[1];
	if (before === undefined || after === undefined) throw new RangeError(`the page has no "${begin}"`);
	const results = parts.flatMap((part) => part.results);
	const rows = [columns, columns.map(() => "---"), ...results.map(cells)].map((row) => `| ${row.join(" | ")} |`);
	return `${before}${begin}\n${rows.join("\n")}\n\n${stampLines(parts).join("\n")}\n${end}${after}`;
}

/** When and where parts were measured, one line per distinct stamp. */
function stampLines(parts: readonly KeptPart[]): readonly string[] {
	const names = new Map<string, string[]>();
	for (const { part, measuredOn, commit, node, platform, cores, loadBefore } of parts) {
		const load = loadBefore === null ? "" : `, load before ${loadBefore}`;
		const where = `measured on ${measuredOn} at ${commit}, Node ${node.slice(1)}, ${platform}, ${cores} cores${load}`;
		names.set(where, [...(names.get(where) ?? []), part]);
	}
	return [...names].map(([where, of]) => `- ${of.join(", ")}: ${where}.`);
}

function cells({ name, unit, against, baseline, measured, ratio, aim, met }: Result): readonly string[] {
	const verdict = met === null ? "" : met ? "met" : "missed";
	return [
		inPowersOf1000(name),
		inPowersOf1000(`${measured} ${unit}`),
		against,
		inPowersOf1000(`${baseline} ${unit}`),
		`${ratio}x`,
		aim === null ? "" : inPowersOf1000(aimText(aim, unit)),
		verdict,
	];
}

/** What is measured in powers of 1024 is shown in powers of 1000, like every size in the product: "359 MiB/s" becomes "376 MB/s". */
function inPowersOf1000(text: string): string {
	return text.replace(/(\d+(?:\.\d+)?) ([KMG])iB/g, (_, number: string, unit: "K" | "M" | "G") => {
		const power = { K: 1, M: 2, G: 3 }[unit];
		return `${Number((Number(number) * 1.024 ** power).toPrecision(3))} ${unit === "K" ? "k" : unit}B`;
	});
}

function aimText(aim: Aim, unit: string): string {
	if ("atMost" in aim) return `at most ${aim.atMost}x`;
	if ("atLeast" in aim) return `at least ${aim.atLeast}x`;
	return "atMostMore" in aim ? `at most ${aim.atMostMore} ${unit} more` : `at most ${aim.measuredAtMost} ${unit}`;
}
