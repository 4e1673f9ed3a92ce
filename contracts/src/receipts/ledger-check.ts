import type { RunId, Sha256 } from "../ids/ids.ts";
import type { PlanId } from "../ids/plan-id.ts";
import { canonicalJson } from "../json/canonical-json.ts";
import { LedgerLine, type ReceiptProblem, type ReceiptProblemCode } from "./ledger-line.ts";
import { type ChainOwner, sha256Of } from "./receipt-chain.ts";
import { type RunSeal, type SealedHead, unsealed } from "./run-check.ts";

/** The value that the first line contains in place of the hash of the previous line. */
export const firstPrev: Sha256 = /* @__PURE__ */ sha256Of("xworkmate.ledger.v1");

/** The number and the hash of a line, as noted elsewhere. */
export interface LedgerEnd {
	readonly n: number;
	readonly hash: Sha256;
}

/** The part of a line that its signature covers, as text. */
export function signedText({ sig: _sig, ...rest }: LedgerLine): string {
	return canonicalJson(rest);
}

interface Signatures {
	readonly sha256?: (text: string) => string;
	/** Checks an Ed25519 signature. Also false if the key or the signature is malformed. */
	readonly isSigned: (publicKey: string, text: string, signature: string) => boolean;
}

interface Kept {
	readonly heads: SealedHead[];
	final?: SealedHead;
	isRemoved: boolean;
}

/**
 * Checks a ledger line by line: each line has to follow the previous one and be signed with the key in use, and at least one has to be
 * signed with the key that the caller trusts. Lines from before that key came into use count too, because the lines signed with it contain
 * their hashes.
 */
export class LedgerCheck {
	readonly #trusted: string;
	readonly #known: LedgerEnd | undefined;
	readonly #only: ChainOwner | undefined;
	readonly #sha256: (text: string) => string;
	readonly #isSigned: Signatures["isSigned"];
	readonly #problems: ReceiptProblem[] = [];
	readonly #runs = new Map<RunId, Kept>();
	readonly #plans = new Map<PlanId, Kept>();
	#n = 0;
	#hash: string = firstPrev;
	#key: string | undefined;
	#trustedLines = 0;
	#hasKnownHash = true;

	/** `known`: the last line according to the database. `only`: keeps only what the ledger says about this run or plan. */
	constructor(trusted: string, signatures: Signatures, known?: LedgerEnd, only?: ChainOwner) {
		this.#trusted = trusted;
		this.#known = known;
		this.#only = only;
		this.#sha256 = signatures.sha256 ?? sha256Of;
		this.#isSigned = signatures.isSigned;
	}

	/** What the ledger says about each run. */
	get runs(): ReadonlyMap<RunId, RunSeal> {
		return this.#runs;
	}

	/** What the ledger says about each plan. */
	get plans(): ReadonlyMap<PlanId, RunSeal> {
		return this.#plans;
	}

	/** The hash of the last line given to `take`. */
	get lastHash(): string {
		return this.#hash;
	}

	sealOf({ runId, planId }: ChainOwner): RunSeal {
		return (planId === undefined ? this.#runs.get(runId) : this.#plans.get(planId)) ?? unsealed;
	}

	/** Checks the next line, given without its line ending. */
	take(text: string): void {
		const next = this.#n + 1;
		const line = parsed(text);
		const prev = this.#hash;
		this.#hash = this.#sha256(text);
		if (line === undefined) {
			this.#n = next;
			this.#note("LEDGER_BROKEN", next, `Line ${next} of the ledger is not valid.`);
			return;
		}
		this.#n = line.n;
		if (line.n > next) this.#note("LEDGER_CUT", next - 1, missing(next, line.n - 1));
		else if (line.n < next || line.prev !== prev) {
			this.#note("LEDGER_BROKEN", line.n, `Line ${line.n} of the ledger does not follow the line before it.`);
		}
		if (line.n === this.#known?.n) this.#hasKnownHash = this.#hash === this.#known.hash;
		if (this.#checkSignature(line)) this.#keep(line);
	}

	/** Ends the check, and returns all problems of the ledger. */
	end(): readonly ReceiptProblem[] {
		if (this.#trustedLines === 0 && (this.#n > 0 || this.#known !== undefined)) {
			this.#note("UNKNOWN_KEY", this.#n === 0 ? 0 : 1, "No line of the ledger is signed with the key that you trust.");
		}
		if (this.#known !== undefined && this.#known.n > this.#n) {
			const end = this.#n === 0 ? "is empty" : `ends with line ${this.#n}`;
			this.#note("LEDGER_CUT", this.#n, `The ledger ${end}, but the database has a record of line ${this.#known.n}.`);
		} else if (this.#known !== undefined && !this.#hasKnownHash) {
			this.#note("LEDGER_BROKEN", this.#known.n, `Line ${this.#known.n} of the ledger is not the one that the database has recorded.`);
		}
		return this.#problems;
	}

	/** True for a line whose signature is valid, whichever key made it. */
	#checkSignature(line: LedgerLine): boolean {
		const text = signedText(line);
		const before = this.#key;
		const isKey = line.kind === "key" && line.publicKey !== undefined;
		const isFollowed = before !== undefined && this.#isSigned(before, text, line.sig);
		if (isFollowed) {
			if (before === this.#trusted) this.#trustedLines++;
			if (isKey) this.#key = line.publicKey;
			return true;
		}
		if (isKey && line.publicKey !== undefined && this.#isSigned(line.publicKey, text, line.sig)) {
			this.#key = line.publicKey;
			if (line.publicKey === this.#trusted) this.#trustedLines++;
			if (before !== undefined)
				this.#note("UNKNOWN_KEY", line.n, `From line ${line.n} on, the ledger uses a key that the previous key did not sign.`);
			return true;
		}
		this.#note("BAD_SIGNATURE", line.n, `Line ${line.n} of the ledger is not signed correctly.`);
		return false;
	}

	#keep({ kind, runId, planId, count, head }: LedgerLine): void {
		if (this.#only !== undefined && (runId !== this.#only.runId || planId !== this.#only.planId)) return;
		const kept = planId !== undefined ? keptOf(this.#plans, planId) : runId !== undefined ? keptOf(this.#runs, runId) : undefined;
		if (kept === undefined) return;
		if (kind === "removed") kept.isRemoved = true;
		if (count === undefined || head === undefined) return;
		if (kind === "head") kept.heads.push({ count, head });
		if (kind === "final") kept.final = { count, head };
	}

	#note(code: ReceiptProblemCode, n: number, message: string): void {
		this.#problems.push({ code, n, message });
	}
}

function keptOf<Id>(all: Map<Id, Kept>, id: Id): Kept {
	const kept = all.get(id) ?? { heads: [], isRemoved: false };
	all.set(id, kept);
	return kept;
}

function missing(from: number, to: number): string {
	return from === to ? `Line ${from} of the ledger is missing.` : `Lines ${from} to ${to} of the ledger are missing.`;
}

function parsed(text: string): LedgerLine | undefined {
	try {
		return LedgerLine.safeParse(JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}

/** The problems of a whole ledger, and what it says about each run and each plan. Pure. */
export function verifyLedger(lines: Iterable<string>, trusted: string, signatures: Signatures, known?: LedgerEnd) {
	const check = new LedgerCheck(trusted, signatures, known);
	for (const line of lines) check.take(line);
	return { problems: check.end(), runs: check.runs, plans: check.plans };
}
