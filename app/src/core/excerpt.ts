const AROUND = 60;

/** What stands around the first place of `wanted` in a text. */
export function excerpt(text: string, wanted: string): string {
	const at = Math.max(0, text.toLowerCase().indexOf(wanted.toLowerCase()));
	const start = Math.max(0, at - AROUND);
	const end = at + wanted.length + AROUND;
	return `${start > 0 ? "…" : ""}${text.slice(start, end).toWellFormed()}${end < text.length ? "…" : ""}`;
}
