import { createHash, createHmac, timingSafeEqual } from "node:crypto";

const FORM = /^sha256=([0-9a-f]{64})$/;

/** True if the header is the HMAC-SHA256 of the raw bytes with this secret. Nothing parsed from the bytes is involved. */
export function isSigned(bytes: Uint8Array, header: string | undefined, secret: string): boolean {
	const given = FORM.exec(header ?? "")?.[1];
	if (given === undefined || secret === "") return false;
	return timingSafeEqual(Buffer.from(given, "hex"), createHmac("sha256", secret).update(bytes).digest());
}

/** Compares two secrets in constant time. */
export function isSameSecret(given: string, secret: string): boolean {
	const hashOf = (text: string) => createHash("sha256").update(text).digest();
	return secret !== "" && timingSafeEqual(hashOf(given), hashOf(secret));
}
