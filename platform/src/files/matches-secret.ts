import { timingSafeEqual } from "node:crypto";

/** Shorter secrets all take as long to compare, so the time does not tell how long the secret is. */
const COMPARED_BYTES = 256;

/**
 * Compares with a secret in constant time, both padded to one length. Digests would do as well, but computing one costs a request more than
 * everything else that it is checked for.
 */
export function matchesSecret(secret: string): (given: string) => boolean {
	const expected = pad(Buffer.alloc(Math.max(COMPARED_BYTES, Buffer.byteLength(secret) + 1)), secret);
	const compared = Buffer.alloc(expected.length);
	return (given) => Buffer.byteLength(given) < expected.length && timingSafeEqual(pad(compared, given), expected);
}

/** Fills the bytes with the text, a byte that ends it, and zeros: no two texts are padded to the same. */
function pad(bytes: Buffer, text: string): Buffer {
	bytes.fill(0);
	bytes[bytes.write(text)] = 1;
	return bytes;
}
