/**
 * A chunk of a stream as bytes.
 * @throws if it is anything else
 */
export function asBytes(piece: unknown): Uint8Array {
	if (piece instanceof Uint8Array) return piece;
	throw new TypeError("the stream does not deliver bytes");
}
