/** Text on one line, shortened to a length in characters. */
export function cutLine(text: string, length: number): string {
	return shortened(text.replace(/\s+/gu, " ").trim(), length);
}

/** Text shortened to a length in characters. If it was cut, its last character is an ellipsis. */
export function shortened(text: string, length: number): string {
	const characters = [...text];
	return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}
