import { hash, timingSafeEqual } from "node:crypto";

/**
 * Compares with a secret in constant time. Compares digests: they have equal length, as `timingSafeEqual` requires, and hide the secret's
 * length.
 */
export function matchesSecret(secret: string): (given: string) => boolean {
	const expected = hash("sha256", secret, "buffer");
	return (given) => timingSafeEqual(hash("sha256", given, "buffer"), expected);
}
