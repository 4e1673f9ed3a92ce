/** The text in at most `bytes` bytes of UTF-8. If it is cut off, a note at its end says so. */
export function boundedText(text: string, bytes: number): string {
	const whole = text.toWellFormed();
	if (whole.length <= bytes && Buffer.byteLength(whole) <= bytes) return whole;
	const note = "\n[cut: there is more than is shown here]";
	const { read } = new TextEncoder().encodeInto(whole, new Uint8Array(Math.max(0, bytes - note.length)));
	return `${whole.slice(0, read)}${note}`;
}
