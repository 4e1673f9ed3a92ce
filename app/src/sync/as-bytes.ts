/** A stream's piece as the bytes it must be. */
export function asBytes(piece: unknown): Uint8Array {
	if (piece instanceof Uint8Array) return piece;
	throw new TypeError("the stream does not deliver bytes");
}
