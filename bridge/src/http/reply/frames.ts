/** Server-sent events for any number of readers, encoded once. */
export interface Frames {
	readonly payload: Buffer;
	/** The payload as one HTTP/1.1 chunk. Absent if there is only one reader, for whom Node frames it without a copy. */
	readonly chunk?: Buffer;
}

export function encodeFrames(text: string): Frames {
	const length = Buffer.byteLength(text);
	const head = `${length.toString(16)}\r\n`;
	const chunk = Buffer.from(`${head}${text}\r\n`);
	return { payload: chunk.subarray(head.length, head.length + length), chunk };
}
