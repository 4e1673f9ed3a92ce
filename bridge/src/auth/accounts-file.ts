import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { ContractError, type Unavailable } from "@xworkmate/contracts";
import { ifAbsent, systemErrorCode } from "@xworkmate/platform/errors";
import { READ_FILE, writeDurably } from "@xworkmate/platform/files";
import type { z } from "zod";
import { noStoredAccounts, StoredAccounts } from "./stored-accounts.ts";

export const ACCOUNTS_FILE = "auth-profiles.json";
const MAX_BYTES = 1024 * 1024;
const FORBIDDEN_BITS = 0o077;
/** A field's name may be shown if it cannot be a secret that got into the wrong place. */
const SHOWN_FIELD = /^[A-Za-z][A-Za-z0-9._:@-]{0,31}$/;

export type ReadAccounts =
	| { readonly kind: "accounts"; readonly accounts: StoredAccounts }
	/** The file is as it was. */
	| { readonly kind: "unusable"; readonly problem: Unavailable };

/**
 * The accounts' file, `<home>/auth-profiles.json`, mode 0600. It is read whenever it is needed, because people edit it, and replaced as a
 * whole. A file that is not understood is never replaced.
 */
export class AccountsFile {
	readonly path: string;
	readonly #owner: number | undefined;

	/** @param owner the user whose file it has to be */
	constructor(path: string, owner: number | undefined = process.getuid?.()) {
		this.path = path;
		this.#owner = owner;
	}

	read(): ReadAccounts {
		try {
			const text = this.#text();
			return { kind: "accounts", accounts: text === undefined ? noStoredAccounts : this.#parse(text) };
		} catch (error) {
			return { kind: "unusable", problem: error instanceof UnusableFile ? error.problem : this.#unreadable(error) };
		}
	}

	/**
	 * Replaces the accounts by what `change` makes of them; on the disk once this returns.
	 * @throws ContractError ACCOUNTS_DAMAGED, and what `change` throws
	 */
	change(change: (accounts: StoredAccounts) => StoredAccounts): StoredAccounts {
		const read = this.read();
		if (read.kind === "unusable") throw accountsDamaged(read.problem);
		const changed = change(read.accounts);
		writeDurably(this.path, `${JSON.stringify(changed, undefined, "\t")}\n`);
		return changed;
	}

	#text(): string | undefined {
		const file = this.#open();
		if (file === undefined) return undefined;
		try {
			const stats = fstatSync(file);
			if (!stats.isFile()) throw this.#notAFile();
			if (this.#owner !== undefined && stats.uid !== this.#owner)
				throw new UnusableFile(
					"ACCOUNTS_FOREIGN",
					`${this.path} belongs to another user, so it is not used.`,
					`Make it yours: chown "$USER" "${this.path}"`,
				);
			if (process.platform !== "win32" && (stats.mode & FORBIDDEN_BITS) !== 0)
				throw new UnusableFile(
					"ACCOUNTS_EXPOSED",
					`Other users of this machine may open ${this.path}, so it is not used.`,
					`Make it private: chmod 600 "${this.path}"`,
				);
			if (stats.size > MAX_BYTES) throw this.#damaged("is larger than 1 MiB");
			return readFileSync(file, "utf8");
		} finally {
			closeSync(file);
		}
	}

	#open(): number | undefined {
		try {
			return openSync(this.path, READ_FILE);
		} catch (error) {
			if (["ELOOP", "EMLINK", "ENXIO"].includes(systemErrorCode(error) ?? "")) throw this.#notAFile();
			return ifAbsent(error);
		}
	}

	#parse(text: string): StoredAccounts {
		const content = this.#json(text);
		if (typeof content === "object" && content !== null && "version" in content && content.version !== 1)
			throw new UnusableFile(
				"ACCOUNTS_VERSION_UNKNOWN",
				`${this.path} has a version that this XWorkmate does not know.`,
				"Update XWorkmate, or move the file away and add the accounts again.",
			);
		const parsed = StoredAccounts.safeParse(content);
		if (!parsed.success) throw this.#damaged(issueWords(parsed.error.issues[0]));
		return parsed.data;
	}

	#json(text: string): unknown {
		try {
			return JSON.parse(text);
		} catch {
			// The parser's message quotes the text, which has secrets in it.
			throw this.#damaged("is not JSON");
		}
	}

	#damaged(what: string): UnusableFile {
		return new UnusableFile("ACCOUNTS_DAMAGED", `${this.path} ${what}.`, "Correct the file, or move it away and add the accounts again.");
	}

	#notAFile(): UnusableFile {
		return new UnusableFile(
			"ACCOUNTS_NOT_A_FILE",
			`${this.path} is a link or something else that is not a file, so it is not opened.`,
			"Put a file of your own in its place.",
		);
	}

	#unreadable(error: unknown): Unavailable {
		const code = systemErrorCode(error);
		// Without a code it is a fault of this code, which must not be shown as one of the file.
		if (code === undefined) throw error;
		return { code: "ACCOUNTS_UNREADABLE", message: `${this.path} can't be read (${code}).`, fix: "Make the file readable for you." };
	}
}

/** Refuses a change of a file that cannot be used. */
export function accountsDamaged({ message, fix }: Unavailable): ContractError {
	return new ContractError("ACCOUNTS_DAMAGED", { detail: message, fix });
}

class UnusableFile extends Error {
	override readonly name = "UnusableFile";
	readonly problem: Unavailable;

	constructor(code: string, message: string, fix: string) {
		super(message);
		this.problem = { code, message, fix };
	}
}

function issueWords(issue: z.core.$ZodIssue | undefined): string {
	if (issue === undefined) return "is not as it should be";
	const path = issue.path.map(String);
	const place = path.length === 0 ? "the file" : path.every((part) => SHOWN_FIELD.test(part)) ? path.join(".") : (path[0] ?? "");
	if (issue.code === "unrecognized_keys") {
		const names = issue.keys.filter((key) => SHOWN_FIELD.test(key));
		return `has an unknown field in ${place}${names.length === 0 ? "" : `: ${names.join(", ")}`}`;
	}
	return `is damaged at ${place}`;
}
