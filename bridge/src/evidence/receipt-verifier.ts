import { LedgerCheck, type NotedHash, type ReceiptProblem, RunCheck, type RunId, type Verification } from "@xworkmate/contracts";
import type { ReceiptedRun, ReceiptStore } from "../ports/receipt-store.ts";
import { Breather } from "./breather.ts";
import { sha256 } from "./ledger-file.ts";
import { signatureCheck } from "./ledger-key.ts";
import type { LedgerReading, ReceiptLedger } from "./receipt-ledger.ts";

/** So many are read at once. */
const PAGE = 100;
const RUNS = 25;
/** A report names so many problems at most. */
const MOST_PROBLEMS = 1_000;

interface Question {
	readonly runId?: RunId | undefined;
	/** A hash that was noted elsewhere, or its first digits. */
	readonly head?: NotedHash | undefined;
	/** Aborted when nobody waits for the answer any more. */
	readonly gone?: AbortSignal | undefined;
}

/**
 * Checks receipts against their chains and the ledger, a page at a time. A run that changes meanwhile is not held against the ledger as it
 * was.
 */
export async function verifyReceipts(
	receipts: ReceiptStore,
	ledger: ReceiptLedger,
	{ runId, head, gone }: Question,
): Promise<Verification> {
	const problems: ReceiptProblem[] = [];
	let count = 0;
	let runs = 0;
	let isMatched = false;
	const note = (found: readonly ReceiptProblem[]) => void problems.push(...found.slice(0, MOST_PROBLEMS - problems.length));
	const noteHash = (hash: unknown) => {
		isMatched ||= head !== undefined && typeof hash === "string" && hash.startsWith(head);
	};

	const breather = new Breather(gone);
	using reading = await ledger.read();
	const check = await readLedger(reading, runId, noteHash, breather);
	note(check.end());

	const verifyOne = async (run: ReceiptedRun) => {
		const chain = new RunCheck(run.runId, check.sealOf(run.runId), sha256);
		let read = 0;
		for await (const text of receiptTexts(receipts, run.runId, breather)) {
			const receipt = receiptOf(text);
			read++;
			chain.take(receipt);
			noteHash((receipt as { hash?: unknown } | undefined)?.hash);
		}
		const found = chain.end(run.isOver && !reading.isTouched(run.runId));
		if (found.length > 0 && (await isGoing(receipts, run.runId))) return;
		note(found);
		count += read;
		runs++;
	};

	const seen = new Set<RunId>();
	for await (const run of runsOf(receipts, runId, breather)) {
		seen.add(run.runId);
		if (!run.isDeleting) await verifyOne(run);
	}
	for (const [sealed, { isRemoved, heads, final }] of check.runs) {
		if (seen.has(sealed) || isRemoved || reading.isTouched(sealed)) continue;
		const run = await receipts.findRun(sealed);
		if (run?.isDeleting === true) continue;
		if (run !== undefined) await verifyOne(run);
		else note([unsaid(sealed, final?.count ?? heads.at(-1)?.count ?? 0)]);
	}
	if (head !== undefined && !isMatched)
		note([{ code: "FORGED", ...(runId && { runId }), message: "The hash that you noted is in no chain." }]);
	return { ok: problems.length === 0, runs, receipts: count, independence: isMatched ? "head_matched" : "self_attested", problems };
}

async function readLedger(
	reading: LedgerReading,
	runId: RunId | undefined,
	noteHash: (hash: string) => void,
	breather: Breather,
): Promise<LedgerCheck> {
	const signatures = { sha256, isSigned: signatureCheck() };
	const check = new LedgerCheck(reading.publicKey ?? "", signatures, reading.known, runId);
	for await (const text of reading.lines()) {
		check.take(text);
		noteHash(check.lastHash);
		await breather.rest();
	}
	return check;
}

/** One run, or all that have receipts. */
export async function* runsOf(receipts: ReceiptStore, runId: RunId | undefined, breather = new Breather()): AsyncGenerator<ReceiptedRun> {
	if (runId !== undefined) {
		const run = await receipts.findRun(runId);
		if (run !== undefined) yield run;
		return;
	}
	for (let after: number | undefined = 0; after !== undefined; await breather.rest()) {
		const page: Awaited<ReturnType<ReceiptStore["runsAfter"]>> = await receipts.runsAfter(after, RUNS);
		yield* page.runs;
		after = page.next;
	}
}

/** The texts of a run's receipt events, in order; undefined for one whose event is gone. */
export async function* receiptTexts(receipts: ReceiptStore, runId: RunId, breather = new Breather()): AsyncGenerator<string | undefined> {
	for (let after: number | undefined = 0; after !== undefined; await breather.rest()) {
		const page: Awaited<ReturnType<ReceiptStore["textsOf"]>> = await receipts.textsOf(runId, after, PAGE);
		for (const { text } of page) yield text;
		after = page.length < PAGE ? undefined : page.at(-1)?.n;
	}
}

/** A receipt as its event has it, unchecked. */
function receiptOf(text: string | undefined): unknown {
	try {
		return text === undefined ? undefined : (JSON.parse(text) as { receipt?: unknown }).receipt;
	} catch {
		// What is not JSON is not what was written.
		return undefined;
	}
}

async function isGoing(receipts: ReceiptStore, runId: RunId): Promise<boolean> {
	const run = await receipts.findRun(runId);
	return run === undefined || run.isDeleting;
}

function unsaid(runId: RunId, count: number): ReceiptProblem {
	const message = "The ledger knows this run, but it was removed without a record.";
	return { code: "REMOVED_UNSAID", runId, n: count, message };
}
