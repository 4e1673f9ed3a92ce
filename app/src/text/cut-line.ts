/** Text on one line, shortened to a length in characters. */
export function cutLine(text: string, length: number): string {
	const line = text.replace(/\s+/gu, " ").trim();
	const characters = [...line];
	return characters.length <= length ? line : `${characters.slice(0, length - 1).join("")}…`;
}
