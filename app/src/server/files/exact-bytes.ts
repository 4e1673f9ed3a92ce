import { Readable } from "node:stream";

/**
 * The stream, when it has this many bytes; one that ends short breaks, since a reader who was promised them would wait.
 * A file may be cut while it is sent.
 */
export function exactBytes(stream: Readable, bytes: number): Readable {
	// A generator that is abandoned before its first read never starts, so on its own it would not close the source.
	return Readable.from(counted(stream, bytes), { objectMode: false }).once("close", () => stream.destroy());
}

async function* counted(stream: Readable, bytes: number): AsyncGenerator<Buffer> {
	let left = bytes;
	for await (const chunk of stream) {
		const piece = Buffer.from(chunk);
		left -= piece.length;
		yield piece;
	}
	if (left > 0) throw new RangeError(`the file ended ${left} bytes before its end`);
}
