/**
 * One message between this process and a child: a small head as JSON, and separate texts, so that a long text is neither escaped nor
 * scanned.
 *
 * On the wire: the length of everything that follows (4 bytes, little endian), the length of the head (4), the head, then each text after
 * its own length (4).
 */
export interface Frame {
	readonly head: unknown;
	readonly texts: readonly Uint8Array[];
}

/** Size of the length that begins each frame on the wire. */
export const FRAME_PREFIX_BYTES = 4;
const LENGTH_BYTES = 4;

/** The input is not a frame: the sender is broken or hostile. */
export class FrameError extends Error {
	override readonly name = "FrameError";
	readonly code = "FRAME_INVALID";
}

/** @param texts long texts, sent after the head */
export function encodeFrame(head: unknown, texts: readonly string[] = []): Buffer {
	const parts = [JSON.stringify(head), ...texts];
	const lengths = parts.map((part) => Buffer.byteLength(part));
	const bytes = lengths.reduce((sum, length) => sum + LENGTH_BYTES + length, 0);
	const frame = Buffer.allocUnsafe(FRAME_PREFIX_BYTES + bytes);
	let at = frame.writeUInt32LE(bytes, 0);
	for (const [index, part] of parts.entries()) {
		at = frame.writeUInt32LE(lengths[index] ?? 0, at);
		at += frame.write(part, at);
	}
	return frame;
}

/**
 * Decodes a frame.
 * @param bytes everything after the prefix
 * @param headBytes a longer head is refused before it is parsed
 * @throws FrameError
 */
export function decodeFrame(bytes: Buffer, headBytes: number): Frame {
	const parts: Buffer[] = [];
	for (let at = 0; at < bytes.length; ) {
		if (at + LENGTH_BYTES > bytes.length) throw new FrameError("the frame ends in the middle of a length");
		const end = at + LENGTH_BYTES + bytes.readUInt32LE(at);
		if (end > bytes.length) throw new FrameError("the frame ends in the middle of a text");
		parts.push(bytes.subarray(at + LENGTH_BYTES, end));
		at = end;
	}
	const [head, ...texts] = parts;
	if (head === undefined || head.length > headBytes) throw new FrameError("the frame's head has an invalid size");
	try {
		return { head: JSON.parse(head.toString("utf8")), texts };
	} catch {
		throw new FrameError("the frame's head is not JSON");
	}
}
