import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { ifAbsent, systemErrorCode } from "../errors/system-error.ts";
import { READ_FILE } from "./open-flags.ts";
import { createDurably, writeDurably } from "./write-durably.ts";

/** Shown as 4.1 kB in the message below. */
const MAX_BYTES = 4_096;
const FORBIDDEN_BITS = 0o077;

/** A secret's file cannot be used: users other than its owner have access to it, it is too large, or it is not a regular file. */
export class SecretFileError extends Error {
	override readonly name = "SecretFileError";
	readonly reason: "exposed" | "not_a_file";

	constructor(path: string, reason: SecretFileError["reason"]) {
		super(
			reason === "exposed"
				? `Other users have access to ${path}.`
				: `${path} is not a regular file of at most 4.1 kB, so it can't hold a secret.`,
		);
		this.reason = reason;
	}
}

/** A secret in its own file, mode 0600: a token or a private key. */
export class SecretFile {
	readonly path: string;

	constructor(path: string) {
		this.path = path;
	}

	/**
	 * Returns the secret, trimmed; undefined if the file does not exist.
	 * @throws SecretFileError
	 */
	read(): string | undefined {
		const file = this.#open();
		if (file === undefined) return undefined;
		try {
			const stats = fstatSync(file);
			if (!stats.isFile() || stats.size > MAX_BYTES) throw new SecretFileError(this.path, "not_a_file");
			if (process.platform !== "win32" && (stats.mode & FORBIDDEN_BITS) !== 0) throw new SecretFileError(this.path, "exposed");
			return readFileSync(file, "utf8").trim();
		} finally {
			closeSync(file);
		}
	}

	/** Replaces the file durably, whatever its mode was before. */
	replace(secret: string): void {
		writeDurably(this.path, `${secret}\n`);
	}

	/** Creates the file durably. False if another process created it first; that process's secret is then the valid one. */
	create(secret: string): boolean {
		return createDurably(this.path, `${secret}\n`);
	}

	#open(): number | undefined {
		try {
			return openSync(this.path, READ_FILE);
		} catch (error) {
			// A symbolic link, or a socket.
			if (["ELOOP", "EMLINK", "ENXIO"].includes(systemErrorCode(error) ?? "")) throw new SecretFileError(this.path, "not_a_file");
			return ifAbsent(error);
		}
	}
}
