/**
 * What remains of a message field once the text that was sent is removed: what was typed after it. If the sent text itself was changed, all
 * of it remains.
 */
export function typedSince(typed: string, sent: string): string {
	return typed.startsWith(sent) ? typed.slice(sent.length).trimStart() : typed;
}
