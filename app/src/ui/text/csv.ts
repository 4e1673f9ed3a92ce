/** Columns of a row; rendering more would block the page. */
const MOST_COLUMNS = 100;

/** Rows of CSV text by RFC 4180; a quote that is not closed runs to the end. At most `most` rows of 100 columns; "…" stands for the rest. */
export function parseCsv(text: string, most: number): readonly (readonly string[])[] {
	const separator = guessSeparator(text);
	const rows: string[][] = [];
	let row: string[] = [];
	let field = "";
	let isQuoted = false;
	const endField = () => {
		if (row.length <= MOST_COLUMNS) row.push(row.length < MOST_COLUMNS ? field : "…");
		field = "";
	};
	const endRow = () => {
		endField();
		rows.push(row);
		row = [];
	};
	for (let at = 0; at < text.length && rows.length < most; at++) {
		const character = text.charAt(at);
		if (isQuoted) {
			if (character !== '"') field += character;
			else if (text.charAt(at + 1) === '"') {
				field += '"';
				at += 1;
			} else isQuoted = false;
		} else if (character === '"' && field === "") isQuoted = true;
		else if (character === separator) endField();
		else if (character === "\n") endRow();
		else if (character !== "\r") field += character;
	}
	if (rows.length < most && (field !== "" || row.length > 0)) endRow();
	return rows;
}

/** Whichever of comma, semicolon and tab is most frequent in the first line. */
function guessSeparator(text: string): string {
	const line = text.slice(0, text.indexOf("\n") === -1 ? undefined : text.indexOf("\n"));
	const times = (separator: string) => line.split(separator).length;
	return [",", ";", "\t"].reduce((best, next) => (times(next) > times(best) ? next : best));
}
