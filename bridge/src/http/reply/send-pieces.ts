import type { ServerResponse } from "node:http";

/**
 * Sends pieces from two alternating buffers: each write has ended before its buffer is filled again. Returns false if the reader
 * disconnected.
 */
export async function sendPieces(raw: ServerResponse, pieces: AsyncIterable<Buffer>): Promise<boolean> {
	let previous: Promise<boolean> = Promise.resolve(true);
	for await (const piece of pieces) {
		const current = write(raw, piece);
		if (!(await previous)) return false;
		previous = current;
	}
	return previous;
}

function write(raw: ServerResponse, piece: Buffer): Promise<boolean> {
	const { promise, resolve } = Promise.withResolvers<boolean>();
	if (raw.destroyed) return Promise.resolve(false);
	const onClose = () => resolve(false);
	raw.once("close", onClose);
	raw.write(piece, (error) => {
		raw.off("close", onClose);
		resolve(error === null || error === undefined);
	});
	return promise;
}
