import { hash, timingSafeEqual } from "node:crypto";

/** Compares with a secret in constant time. Digests have one length, which `timingSafeEqual` needs, and hide the secret's. */
export function matchesSecret(secret: string): (given: string) => boolean {
	const expected = hash("sha256", secret, "buffer");
	return (given) => timingSafeEqual(hash("sha256", given, "buffer"), expected);
}
