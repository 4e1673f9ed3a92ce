import { timingSafeEqual } from "node:crypto";

/** All secrets shorter than this take equally long to compare, so the time does not reveal a secret's length. */
const COMPARED_BYTES = 256;

/**
 * Returns a function that compares a text with the secret in constant time, both padded to the same length. Digests would do as well, but
 * computing one takes longer than all other checks of a request together.
 */
export function matchesSecret(secret: string): (given: string) => boolean {
	const expected = pad(Buffer.alloc(Math.max(COMPARED_BYTES, Buffer.byteLength(secret) + 1)), secret);
	const compared = Buffer.alloc(expected.length);
	return (given) => Buffer.byteLength(given) < expected.length && timingSafeEqual(pad(compared, given), expected);
}

/** Fills the bytes with the string, one end byte, and zeros, so that no two strings are padded to the same bytes. */
function pad(bytes: Buffer, text: string): Buffer {
	bytes.fill(0);
	bytes[bytes.write(text)] = 1;
	return bytes;
}
