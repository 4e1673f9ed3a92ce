import { hash } from "node:crypto";
import { constants, mkdirSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { canonicalJson, firstPrev, type LedgerEnd, LedgerLine, type Sha256, signedText } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { SecretFile, syncDirectory } from "@xworkmate/platform/files";
import { LedgerKey, signatureCheck } from "./ledger-key.ts";

/** The content of a line. Its number, the hash of the line before and its signature are added when it is written. */
export type LedgerDraft = Pick<LedgerLine, "at" | "kind" | "runId" | "planId" | "count" | "head" | "publicKey" | "late">;

/** What was wrong with the ledger when it was opened. The ledger is then continued with a new key. */
export type LedgerFault = "damaged" | "cut" | "key_lost";

/** The file's name in its folder. */
export const LEDGER_FILE = "ledger.jsonl";
export const KEY_FILE = "key.pem";
/** More bytes than any line has. */
const TAIL_BYTES = 64 * 1024;
const READ_BYTES = 64 * 1024;
const LF = 10;

interface Tail {
	readonly end: LedgerEnd;
	/** Bytes up to the end of the last whole line. */
	readonly bytes: number;
	/** True if part of a line follows. */
	readonly hasRest: boolean;
	/** The last whole line; undefined if it cannot be read as one. */
	readonly line?: LedgerLine;
	/** True if there is no whole line. */
	readonly isEmpty: boolean;
}

/** The ledger's file, open for appending. Only this process writes it, since it holds the lock on the home. */
export class LedgerFile {
	readonly #file: FileHandle;
	readonly #key: LedgerKey;
	#end: LedgerEnd;
	#bytes: number;
	/** True if lines of a failed append may still be in the file, because they could not be cut off. */
	#hasRest = false;

	private constructor(file: FileHandle, key: LedgerKey, end: LedgerEnd, bytes: number) {
		this.#file = file;
		this.#key = key;
		this.#end = end;
		this.#bytes = bytes;
	}

	/**
	 * Opens the ledger in its folder, or begins one. `known`: the last line according to the database. A ledger that is damaged or cut off,
	 * or whose key is missing, is continued with a new key and otherwise left as it is, so that a verifier sees the problem too.
	 */
	static async open(folder: string, known: LedgerEnd | undefined, at: string): Promise<{ ledger: LedgerFile; fault?: LedgerFault }> {
		makeOwnFolder(folder);
		const path = join(folder, LEDGER_FILE);
		const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
		const file = await open(path, flags, 0o600);
		try {
			const tail = await readTail(file);
			const fault = faultOf(tail, known);
			let { bytes } = tail;
			// The process ended while it was writing this line, so nothing refers to it yet.
			if (tail.hasRest && fault === undefined) await file.truncate(bytes);
			else if (tail.hasRest) {
				await file.appendFile("\n");
				bytes = (await file.stat()).size;
			}
			const end = {
				n: Math.max(tail.end.n, known?.n ?? 0),
				hash: tail.hasRest && fault !== undefined ? await hashOfLast(file) : tail.end.hash,
			};
			const secret = new SecretFile(join(folder, KEY_FILE));
			const present = LedgerKey.read(secret);
			const isOwn = present !== undefined && isKeyOf(present, tail);
			if (isOwn && fault === undefined && !tail.isEmpty) return { ledger: new LedgerFile(file, present, end, bytes) };
			const isNew = tail.isEmpty && known === undefined;
			// If the ledger does not name the key, an earlier start created the key but ended before using it.
			const isUnused = present !== undefined && (isNew || !isOwn);
			const key = isUnused ? present : LedgerKey.create(secret);
			const ledger = new LedgerFile(file, isOwn && tail.line !== undefined ? present : key, end, bytes);
			await ledger.append([{ at, kind: "key", publicKey: key.publicKey }]);
			syncDirectory(folder);
			const continued = new LedgerFile(file, key, ledger.#end, ledger.#bytes);
			return isNew ? { ledger: continued } : { ledger: continued, fault: fault ?? "key_lost" };
		} catch (error) {
			await file.close();
			throw error;
		}
	}

	get publicKey(): string {
		return this.#key.publicKey;
	}

	/** The last durable line. */
	get end(): LedgerEnd {
		return this.#end;
	}

	/** The size of all durable lines. */
	get bytes(): number {
		return this.#bytes;
	}

	/**
	 * Writes lines with one sync. If that fails, none of them is in the ledger.
	 * @throws the error of the file system, also if what an earlier append left in the file still can't be cut off
	 */
	async append(drafts: readonly LedgerDraft[]): Promise<void> {
		await this.#cutRest();
		let { n, hash: prev } = this.#end;
		let text = "";
		for (const draft of drafts) {
			n++;
			const unsigned = { n, ...draft, prev, sig: "" };
			const line = canonicalJson({ ...unsigned, sig: this.#key.sign(signedText(unsigned)) });
			prev = sha256(line);
			text += `${line}\n`;
		}
		const bytes = Buffer.from(text);
		try {
			await this.#file.appendFile(bytes);
			await this.#file.datasync();
		} catch (error) {
			this.#hasRest = true;
			// The caller needs the first error. If cutting fails here, the next append tries again.
			await this.#cutRest().catch(() => undefined);
			throw error;
		}
		this.#end = { n, hash: prev };
		this.#bytes += bytes.length;
	}

	/**
	 * Cuts off what a failed append left in the file. Otherwise the next lines would follow it with the same numbers, and a verifier would
	 * report damage.
	 */
	async #cutRest(): Promise<void> {
		if (!this.#hasRest) return;
		await this.#file.truncate(this.#bytes);
		this.#hasRest = false;
	}

	/** The texts of all lines within the first `bytes`. */
	async *lines(bytes: number): AsyncGenerator<string> {
		let rest = Buffer.alloc(0);
		for (let at = 0; at < bytes; ) {
			const buffer = Buffer.alloc(Math.min(READ_BYTES, bytes - at));
			const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, at);
			// The file was truncated in the meantime.
			if (bytesRead === 0) break;
			at += bytesRead;
			rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
			for (let end = rest.indexOf(LF); end !== -1; end = rest.indexOf(LF)) {
				yield rest.toString("utf8", 0, end);
				rest = rest.subarray(end + 1);
			}
		}
		if (rest.length > 0) yield rest.toString("utf8");
	}

	close(): Promise<void> {
		return this.#file.close();
	}
}

/** Creates the folder but not its parents, so that a home that was deleted does not reappear. */
function makeOwnFolder(folder: string): void {
	try {
		mkdirSync(folder, { mode: 0o700 });
		syncDirectory(dirname(folder));
	} catch (error) {
		if (systemErrorCode(error) !== "EEXIST") throw error;
	}
}

export function sha256(text: string): Sha256 {
	return hash("sha256", text);
}

async function readTail(file: FileHandle): Promise<Tail> {
	const { size } = await file.stat();
	const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
	await file.read(buffer, 0, buffer.length, size - buffer.length);
	const last = buffer.lastIndexOf(LF);
	const hasRest = last !== buffer.length - 1;
	const bytes = size - buffer.length + last + 1;
	if (last === -1) return { end: { n: 0, hash: firstPrev }, bytes, hasRest, isEmpty: bytes === 0 };
	const text = buffer.toString("utf8", buffer.lastIndexOf(LF, last - 1) + 1, last);
	const line = lineOf(text);
	return { end: { n: line?.n ?? 0, hash: sha256(text) }, bytes, hasRest, ...(line === undefined ? {} : { line }), isEmpty: false };
}

async function hashOfLast(file: FileHandle): Promise<Sha256> {
	return (await readTail(file)).end.hash;
}

function lineOf(text: string): LedgerLine | undefined {
	try {
		return LedgerLine.safeParse(JSON.parse(text)).data;
	} catch {
		// The line is not JSON.
		return undefined;
	}
}

function faultOf({ end, line, isEmpty }: Tail, known: LedgerEnd | undefined): LedgerFault | undefined {
	if (known !== undefined && known.n > end.n) return "cut";
	if (known !== undefined && known.n === end.n && known.hash !== end.hash) return "damaged";
	return line === undefined && !isEmpty ? "damaged" : undefined;
}

/** True if the ledger's last line announces this key or, if it announces none, was signed with it; also if no last line can be read. */
function isKeyOf(key: LedgerKey, { line, isEmpty }: Tail): boolean {
	if (isEmpty || line === undefined) return true;
	if (line.kind === "key") return line.publicKey === key.publicKey;
	return signatureCheck()(key.publicKey, signedText(line), line.sig);
}
