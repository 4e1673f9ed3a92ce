import { availableParallelism } from "node:os";
import type { Aim, Result } from "./result.ts";

const columns = ["measured", "", "against", "", "ratio", "aim", ""] as const;
const begin = "<!-- results, written by npm run bench -->";
const end = "<!-- end of results -->";

/** The committed document; without a clock, so that only what changed shows. */
export function resultsDocument(results: readonly Result[]): string {
	const head = { node: process.version, platform: `${process.platform} ${process.arch}`, cores: availableParallelism() };
	return `${JSON.stringify({ ...head, results }, null, "\t")}\n`;
}

/** Aligned lines for a terminal. */
export function resultsTable(results: readonly Result[]): string {
	const rows = [columns, ...results.map(cells)];
	const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
	const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
	return rows.map((row) => line(row).trimEnd()).join("\n");
}

/** A page with its table of results replaced. @throws RangeError for a page without a place for it */
export function withResults(page: string, results: readonly Result[]): string {
	const [before, rest] = page.split(begin);
	const after = rest?.split(end)[1];
	if (before === undefined || after === undefined) throw new RangeError(`the page has no "${begin}"`);
	const rows = [columns, columns.map(() => "---"), ...results.map(cells)].map((row) => `| ${row.join(" | ")} |`);
	return `${before}${begin}\n${rows.join("\n")}\n${end}${after}`;
}

function cells({ name, unit, against, baseline, measured, ratio, aim, met }: Result): readonly string[] {
	const verdict = met === null ? "" : met ? "met" : "missed";
	return [name, `${measured} ${unit}`, against, `${baseline} ${unit}`, `${ratio}x`, aim === null ? "" : aimText(aim), verdict];
}

function aimText(aim: Aim): string {
	return "atMost" in aim ? `at most ${aim.atMost}x` : `at least ${aim.atLeast}x`;
}
