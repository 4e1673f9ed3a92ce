import { closeSync, fstatSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ContractError, Unavailable } from "@xworkmate/contracts";
import { ifAbsent, systemErrorCode } from "@xworkmate/platform/errors";
import { READ_FILE, writeDurably } from "@xworkmate/platform/files";
import type { z } from "zod";
import { fileMark } from "./file-mark.ts";

/** The names that `writeDurably` gives to files that are about to replace others. */
const LEFTOVER = /\.\d{1,10}\.[0-9a-f]{12}\.new$/;
const MAX_BYTES = 1024 * 1024;
const FORBIDDEN_BITS = 0o077;
/** A field's name is shown only if it is short and simple, because any other may be a misplaced secret. */
const SHOWN_FIELD = /^[A-Za-z][A-Za-z0-9._:@-]{0,31}$/;

export type KeptContent<T> =
	| { readonly kind: "content"; readonly content: T }
	/** The file was not changed. */
	| { readonly kind: "unusable"; readonly problem: Unavailable };

export interface KeptFileOptions<T> {
	readonly path: string;
	/** The whole content, with `version: 1`. Unknown fields are refused, because they would be lost when the file is replaced. */
	readonly schema: z.ZodType<T>;
	/** The content to assume if there is no file. */
	readonly empty: T;
	/** The prefix of problem codes: `ACCOUNTS` makes `ACCOUNTS_DAMAGED`. */
	readonly code: string;
	/** What to do after moving the file away: `add the accounts again`. */
	readonly again: string;
	/** The user who must own the file. */
	readonly owner?: number | undefined;
	/** The refusal to change a file that cannot be used. */
	readonly refusal: (problem: Unavailable) => ContractError;
}

/**
 * A file in the home that the bridge writes and users edit, mode 0600. It is read each time it is needed, unless it has not changed since
 * the last time, and is always replaced as a whole. A file that cannot be understood is never replaced.
 */
export class KeptFile<T> {
	readonly #options: KeptFileOptions<T>;
	/** The content that was read last, and the file's mark from before that read. */
	#last: { readonly mark: string; readonly content: T } | undefined;

	constructor(options: KeptFileOptions<T>) {
		this.#options = options;
	}

	get path(): string {
		return this.#options.path;
	}

	read(): KeptContent<T> {
		try {
			const mark = fileMark(this.path);
			if (mark !== undefined && mark === this.#last?.mark) return { kind: "content", content: this.#last.content };
			const text = this.#text();
			const content = text === undefined ? this.#options.empty : this.#parse(text);
			this.#last = mark === undefined ? undefined : { mark, content };
			return { kind: "content", content };
		} catch (error) {
			return { kind: "unusable", problem: error instanceof UnusableFile ? error.problem : this.#unreadable(error) };
		}
	}

	/**
	 * Replaces the content with what `change` returns. The new content is on the disk when the call returns.
	 * @throws ContractError the refusal of an unusable file or of content over 1 MB, and what `change` throws
	 */
	change(change: (content: T) => T): T {
		const read = this.read();
		if (read.kind === "unusable") throw this.#options.refusal(read.problem);
		const changed = change(read.content);
		const text = `${JSON.stringify(changed, undefined, "\t")}\n`;
		// A larger file could not be read again.
		if (Buffer.byteLength(text) > MAX_BYTES) throw this.#options.refusal(this.#full());
		writeDurably(this.path, text);
		return changed;
	}

	/** Removes the temporary files of bridges that were killed while replacing this file: they may contain secrets. */
	removeLeftovers(): void {
		const folder = dirname(this.path);
		const left = readdirSync(folder).filter((name) => name.startsWith(`${basename(this.path)}.`) && LEFTOVER.test(name));
		for (const name of left) rmSync(join(folder, name), { force: true });
	}

	#text(): string | undefined {
		const file = this.#open();
		if (file === undefined) return undefined;
		try {
			const stats = fstatSync(file);
			if (!stats.isFile()) throw this.#notAFile();
			const { owner } = this.#options;
			if (owner !== undefined && stats.uid !== owner)
				throw this.#unusable(
					"FOREIGN",
					`${this.path} belongs to another user, so it is not used.`,
					`Make it yours: sudo chown "$USER" "${this.path}"`,
				);
			if (process.platform !== "win32" && (stats.mode & FORBIDDEN_BITS) !== 0)
				throw this.#unusable(
					"EXPOSED",
					`Other users of this computer can open ${this.path}, so it is not used.`,
					`Make it private: chmod 600 "${this.path}"`,
				);
			if (stats.size > MAX_BYTES) throw this.#damaged("is larger than 1 MB");
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

	#parse(text: string): T {
		const content = this.#json(text);
		if (typeof content === "object" && content !== null && "version" in content && content.version !== 1)
			throw this.#unusable(
				"VERSION_UNKNOWN",
				`${this.path} has a version that this version of XWorkmate does not support.`,
				`Update XWorkmate, or move the file away and ${this.#options.again}.`,
			);
		const parsed = this.#options.schema.safeParse(content);
		if (!parsed.success) throw this.#damaged(issueWords(parsed.error.issues[0]));
		return parsed.data;
	}

	#json(text: string): unknown {
		try {
			return JSON.parse(text);
		} catch {
			// The parser's message would quote the text, which may contain secrets.
			throw this.#damaged("is not JSON");
		}
	}

	#damaged(what: string): UnusableFile {
		return this.#unusable("DAMAGED", `${this.path} ${what}.`, `Correct the file, or move it away and ${this.#options.again}.`);
	}

	#full(): Unavailable {
		return this.#unusable("FULL", `${this.path} would become larger than 1 MB.`, "Remove the entries that you no longer need.").problem;
	}

	#notAFile(): UnusableFile {
		return this.#unusable(
			"NOT_A_FILE",
			`${this.path} is not a regular file (it may be a link), so it was not opened.`,
			"Replace it with a regular file that belongs to you.",
		);
	}

	#unreadable(error: unknown): Unavailable {
		const code = systemErrorCode(error);
		// An error without a code is a bug in the bridge, and must not be reported as a problem with the file.
		if (code === undefined) throw error;
		return this.#unusable(
			"UNREADABLE",
			`${this.path} can't be read (${code}).`,
			"Make sure that you have permission to read the file and open its folder.",
		).problem;
	}

	#unusable(what: string, message: string, fix: string): UnusableFile {
		return new UnusableFile({ code: `${this.#options.code}_${what}`, message, fix });
	}
}

class UnusableFile extends Error {
	override readonly name = "UnusableFile";
	readonly problem: Unavailable;

	constructor(problem: Unavailable) {
		super(problem.message);
		this.problem = problem;
	}
}

function issueWords(issue: z.core.$ZodIssue | undefined): string {
	if (issue === undefined) return "is not valid";
	const path = issue.path.map(String);
	const place = path.length === 0 ? "the file" : path.every((part) => SHOWN_FIELD.test(part)) ? path.join(".") : (path[0] ?? "");
	if (issue.code === "unrecognized_keys") {
		const names = issue.keys.filter((key) => SHOWN_FIELD.test(key));
		return `has ${issue.keys.length === 1 ? "an unknown field" : "unknown fields"} in ${place}${names.length === 0 ? "" : `: ${names.join(", ")}`}`;
	}
	return path.length === 0 ? "does not contain a JSON object" : `lacks a valid value at ${place}`;
}
