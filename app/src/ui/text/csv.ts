import Papa from "papaparse";

/** The maximum number of columns of a row, because rendering more would block the page. */
const MOST_COLUMNS = 100;

/**
 * The rows of a CSV text. An unclosed quote extends to the end. At most `most` rows. In a row of more than 100 columns, "…" replaces the
 * rest.
 */
export function parseCsv(text: string, most: number): readonly (readonly string[])[] {
	const lines = text.replaceAll("\r\n", "\n").replace(/\n$/, "");
	const { data } = Papa.parse<string[]>(lines, { preview: most, newline: "\n", delimitersToGuess: [",", ";", "\t"] });
	return data.map((row) => (row.length > MOST_COLUMNS ? [...row.slice(0, MOST_COLUMNS), "…"] : row));
}
