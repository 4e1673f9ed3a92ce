import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { SecretFile, SecretFileError } from "@xworkmate/platform/files";
import { ConfigError } from "./config-error.ts";

const FORBIDDEN_BITS = 0o077;

/**
 * Creates `<home>` and `<home>/bridge`, accessible only to their owner (0700).
 * @throws ConfigError if another user owns one of them
 */
export async function prepareHome(home: string): Promise<void> {
	for (const folder of [home, join(home, "bridge")]) {
		// On a read-only disk, Node's recursive mkdir fails with ENOENT; the plain one gives the real reason.
		await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => mkdir(folder, { mode: 0o700 }));
		const { mode, uid } = await lstat(folder);
		if (process.getuid !== undefined && uid !== process.getuid()) {
			throw new ConfigError(`${folder} belongs to another user.`, "Set XWORKMATE_HOME to a folder of your own.");
		}
		if ((mode & FORBIDDEN_BITS) !== 0) await chmod(folder, 0o700);
	}
}

/**
 * The token in `<bridgeHome>/token`; generated from 32 random bytes if there is none. Two processes that start at the same time get the same
 * token.
 * @throws ConfigError if others have access to the file, it is not a regular file of at most 4,096 bytes, it holds no token, or it is
 * deleted right after it was created.
 */
export async function loadAccessToken(bridgeHome: string): Promise<string> {
	const file = new SecretFile(join(bridgeHome, "token"));
	const existing = readToken(file);
	if (existing !== undefined) return existing;
	file.create(randomBytes(32).toString("base64url"));
	const created = readToken(file);
	if (created === undefined) throw new ConfigError(`${file.path} was deleted while the bridge was starting.`, "Start the bridge again.");
	return created;
}

function readToken(file: SecretFile): string | undefined {
	try {
		const token = file.read();
		if (token === undefined || /^[\x21-\x7e]+$/.test(token)) return token;
	} catch (error) {
		if (!(error instanceof SecretFileError)) throw error;
		const isExposed = error.reason === "exposed";
		throw new ConfigError(
			error.message,
			`${isExposed ? `Run \`chmod 600 "${file.path}"\`, or delete` : "Delete"} the file to get a new token.`,
		);
	}
	throw new ConfigError(`${file.path} contains no valid token.`, "Delete the file, and the next start creates a new token.");
}
