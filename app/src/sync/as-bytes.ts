/** A chunk of a stream as bytes, which every chunk must be. */
export function asBytes(piece: unknown): Uint8Array {
	if (piece instanceof Uint8Array) return piece;
	throw new TypeError("the stream does not deliver bytes");
}
