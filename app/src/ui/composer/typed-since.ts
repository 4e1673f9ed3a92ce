/** The text that was typed after the text that was sent. If the sent text itself was changed, the whole text is returned. */
export function typedSince(typed: string, sent: string): string {
	return typed.startsWith(sent) ? typed.slice(sent.length).trimStart() : typed;
}
