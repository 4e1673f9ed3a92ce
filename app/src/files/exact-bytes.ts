import { Readable } from "node:stream";

/**
 * Passes a stream on. If it ends before the promised number of bytes, because the file was truncated while it was being sent, the result
 * fails, since the reader would otherwise wait for the rest.
 */
export function exactBytes(stream: Readable, bytes: number): Readable {
	// A generator that is abandoned before its first read never runs, so it would not close the source.
	return Readable.from(counted(stream, bytes), { objectMode: false }).once("close", () => stream.destroy());
}

async function* counted(stream: Readable, bytes: number): AsyncGenerator<Buffer> {
	let left = bytes;
	for await (const chunk of stream) {
		const piece = Buffer.from(chunk);
		left -= piece.length;
		yield piece;
	}
	if (left > 0) throw new RangeError(`the file is ${left} bytes shorter than expected`);
}
