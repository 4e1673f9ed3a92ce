import { Readable } from "node:stream";

/**
 * Passes a stream on. If the stream ends before the promised number of bytes, because the file was truncated while it was being sent, the
 * result fails; otherwise the reader would wait for the rest.
 */
export function exactBytes(stream: Readable, bytes: number): Readable {
	// The source is closed here, because a generator that is abandoned before its first read never runs and could not close it.
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
