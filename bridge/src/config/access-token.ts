import { randomBytes } from "node:crypto";
import { chmod, link, lstat, mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { ifAbsent, systemErrorCode } from "@xworkmate/platform/errors";
import { ConfigError } from "./config-error.ts";

const FORBIDDEN_BITS = 0o077;

/** Creates `<home>` and `<home>/bridge` for their owner alone (0700). @throws ConfigError when another user owns one */
export async function prepareHome(home: string): Promise<void> {
	for (const folder of [home, join(home, "bridge")]) {
		// On a read-only disk Node's way to make a folder with those above it fails with ENOENT; the plain one says why.
		await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => mkdir(folder, { mode: 0o700 }));
		const { mode, uid } = await lstat(folder);
		if (process.getuid !== undefined && uid !== process.getuid()) {
			throw new ConfigError(`${folder} belongs to another user.`, "Set XWORKMATE_HOME to a folder of your own.");
		}
		if ((mode & FORBIDDEN_BITS) !== 0) await chmod(folder, 0o700);
	}
}

/**
 * The token in `<bridgeHome>/token`, made of 32 random bytes when there is none. Two that start at
 * once get the same one.
 * @throws ConfigError when others can read the file, or it holds no token.
 */
export async function loadAccessToken(bridgeHome: string): Promise<string> {
	const path = join(bridgeHome, "token");
	const existing = await readToken(path);
	if (existing !== undefined) return existing;
	await createToken(path);
	const created = await readToken(path);
	if (created === undefined) throw new ConfigError(`${path} can't be created.`, "Check the folder's permissions.");
	return created;
}

async function readToken(path: string): Promise<string | undefined> {
	const stats = await lstat(path).catch(ifAbsent);
	if (stats === undefined) return undefined;
	if (!stats.isFile() || (stats.mode & FORBIDDEN_BITS) !== 0) {
		throw new ConfigError(
			`${path} can be read by other users, or is not a file.`,
			`Delete it to get a new token, or run \`chmod 600 ${path}\`.`,
		);
	}
	const token = (await readFile(path, "utf8")).trim();
	if (/^[\x21-\x7e]+$/.test(token)) return token;
	throw new ConfigError(`${path} contains no token.`, "Delete it, and the next start creates a new one.");
}

/** Written to a temporary file and linked into place, so that a reader never sees half of it. */
async function createToken(path: string): Promise<void> {
	const beside = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
	const file = await open(beside, "wx", 0o600);
	try {
		await file.writeFile(`${randomBytes(32).toString("base64url")}\n`);
		await file.sync();
		await link(beside, path).catch((error: unknown) => {
			if (systemErrorCode(error) !== "EEXIST") throw error;
		});
	} finally {
		await file.close();
		await rm(beside, { force: true });
	}
}
