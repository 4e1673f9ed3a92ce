import { randomBytes, timingSafeEqual } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The file with the local API's token; only the home's owner reads it. */
function appTokenFile(home: string): string {
	return join(home, "app", "token");
}

/** A new token for each start, so that one that leaked ends with the process. */
export async function createAppToken(home: string): Promise<string> {
	const token = randomBytes(32).toString("base64url");
	await writeFile(appTokenFile(home), token, { mode: 0o600 });
	return token;
}

/** @throws when no app runs in this home. */
export async function readAppToken(home: string): Promise<string> {
	return (await readFile(appTokenFile(home), "utf8")).trim();
}

/** Compares in constant time. */
export function sameToken(given: string, expected: string): boolean {
	const left = Buffer.from(given);
	const right = Buffer.from(expected);
	return left.length === right.length && timingSafeEqual(left, right);
}
