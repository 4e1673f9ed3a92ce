import {
	type ChainOwner,
	LedgerCheck,
	limits,
	type NotedHash,
	type PlanId,
	type ReceiptProblem,
	RunCheck,
	type RunId,
	type Verification,
} from "@xworkmate/contracts";
import type { ReceiptedRun, ReceiptStore, ReceiptText } from "../ports/tools/receipt-store.ts";
import { Breather } from "./breather.ts";
import type { LedgerReading } from "./late-lines.ts";
import { sha256 } from "./ledger-file.ts";
import { signatureCheck } from "./ledger-key.ts";
import type { ReceiptLedger } from "./receipt-ledger.ts";

/** How many receipts are read at once. */
const PAGE = 100;
const RUNS = 25;

interface Question {
	readonly runId?: RunId | undefined;
	readonly planId?: PlanId | undefined;
	/** A hash that was noted elsewhere, or its first digits. */
	readonly head?: NotedHash | undefined;
	/** Aborted when the caller has disconnected. */
	readonly gone?: AbortSignal | undefined;
	/** Called often, with the number of receipts checked so far. */
	readonly checked?: ((receipts: number) => void) | undefined;
}

/**
 * Checks receipts against their chains and the ledger, a page at a time. The check reads the ledger as it was when the check began: a run
 * that ends or is removed later need not have a final line there, but its earlier heads still have to match.
 */
export async function verifyReceipts(
	receipts: ReceiptStore,
	ledger: ReceiptLedger,
	{ runId, planId, head, gone, checked }: Question,
): Promise<Verification> {
	const problems: ReceiptProblem[] = [];
	let count = 0;
	let runs = 0;
	let plans = 0;
	let isMatched = false;
	const note = (found: readonly ReceiptProblem[]) => void problems.push(...found.slice(0, limits.receiptProblems - problems.length));
	const noteHash = (hash: unknown) => {
		isMatched ||= head !== undefined && typeof hash === "string" && hash.startsWith(head);
	};

	const breather = new Breather(gone);
	using reading = await ledger.read();
	const { failure } = reading;
	if (failure !== undefined) note([{ code: "LEDGER_UNREADABLE", message: `The ledger can't be read: ${failure}` }]);
	const check = await readLedger(reading, ownerOf(runId, planId), noteHash, breather);
	note(check.end());

	const verifyChain = async (owner: ChainOwner, isOver: () => boolean) => {
		const chain = new RunCheck(owner, check.sealOf(owner), sha256);
		let read = 0;
		for await (const page of receiptPages(receipts, owner, breather)) {
			for (const { text } of page) {
				const receipt = receiptOf(text);
				chain.take(receipt);
				noteHash((receipt as { hash?: unknown } | null | undefined)?.hash);
			}
			read += page.length;
			checked?.(count + read);
		}
		return { found: chain.end(isOver()), read };
	};
	const verifyOne = async ({ runId: id, isOver }: ReceiptedRun) => {
		const { found, read } = await verifyChain({ runId: id }, () => isOver && failure === undefined && !reading.isTouched({ runId: id }));
		if (found.length > 0 && (await isGoing(receipts, id))) return;
		note(found);
		count += read;
		runs++;
	};
	const verifyPlan = async (id: PlanId) => {
		const { found, read } = await verifyChain({ planId: id }, () => false);
		note(found);
		count += read;
		plans++;
	};

	const seen = new Set<RunId>();
	const seenPlans = new Set<PlanId>();
	for await (const id of plansOf(receipts, { runId, planId }, breather)) {
		seenPlans.add(id);
		await verifyPlan(id);
	}
	for (const [sealed, { heads }] of check.plans) {
		if (seenPlans.has(sealed)) continue;
		if (await receipts.hasPlan(sealed)) await verifyPlan(sealed);
		else note([unsaid({ planId: sealed }, heads.at(-1)?.count ?? 0)]);
	}
	for await (const run of runsOf(receipts, { runId, planId }, breather)) {
		seen.add(run.runId);
		if (!run.isDeleting) await verifyOne(run);
	}
	for (const [sealed, { isRemoved, heads, final }] of check.runs) {
		if (seen.has(sealed) || isRemoved || reading.isTouched({ runId: sealed })) continue;
		const run = await receipts.findRun(sealed);
		if (run?.isDeleting === true) continue;
		if (run !== undefined) await verifyOne(run);
		else note([unsaid({ runId: sealed }, final?.count ?? heads.at(-1)?.count ?? 0)]);
	}
	// If the ledger can't be read, the hash may be that of one of its lines.
	if (head !== undefined && !isMatched && failure === undefined) note([unmatched(ownerOf(runId, planId))]);
	return { ok: problems.length === 0, runs, plans, receipts: count, independence: isMatched ? "head_matched" : "self_attested", problems };
}

async function readLedger(
	reading: LedgerReading,
	only: ChainOwner | undefined,
	noteHash: (hash: string) => void,
	breather: Breather,
): Promise<LedgerCheck> {
	const signatures = { sha256, isSigned: signatureCheck() };
	const check = new LedgerCheck(reading.publicKey ?? "", signatures, reading.failure === undefined ? reading.known : undefined, only);
	for await (const text of reading.lines()) {
		check.take(text);
		noteHash(check.lastHash);
		await breather.rest();
	}
	return check;
}

export interface Only {
	readonly runId?: RunId | undefined;
	readonly planId?: PlanId | undefined;
}

/** The requested run, or all runs that have receipts; none if a plan was requested. */
export async function* runsOf(receipts: ReceiptStore, { runId, planId }: Only, breather = new Breather()): AsyncGenerator<ReceiptedRun> {
	if (planId !== undefined) return;
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

/** The requested plan, or all plans that have receipts; none if a run was requested. */
export async function* plansOf(receipts: ReceiptStore, { runId, planId }: Only, breather = new Breather()): AsyncGenerator<PlanId> {
	if (runId !== undefined) return;
	if (planId !== undefined) {
		if (await receipts.hasPlan(planId)) yield planId;
		return;
	}
	for (let after: number | undefined = 0; after !== undefined; await breather.rest()) {
		const page: Awaited<ReturnType<ReceiptStore["plansAfter"]>> = await receipts.plansAfter(after, RUNS);
		yield* page.plans;
		after = page.next;
	}
}

/** The texts of the receipt events of a run or a plan, in order; undefined in place of an event that is missing. */
export async function* receiptTexts(
	receipts: ReceiptStore,
	owner: ChainOwner,
	breather = new Breather(),
): AsyncGenerator<string | undefined> {
	for await (const page of receiptPages(receipts, owner, breather)) for (const { text } of page) yield text;
}

/** Read in pages, because a promise for each receipt would cost more than reading it. */
async function* receiptPages(receipts: ReceiptStore, owner: ChainOwner, breather: Breather): AsyncGenerator<readonly ReceiptText[]> {
	for (let after: number | undefined = 0; after !== undefined; await breather.rest()) {
		const page: readonly ReceiptText[] = await receipts.textsOf(owner, after, PAGE);
		yield page;
		after = page.length < PAGE ? undefined : page.at(-1)?.n;
	}
}

/** A receipt as its event contains it, unchecked. Undefined if the event is missing, null if its text is damaged. */
function receiptOf(text: string | undefined): unknown {
	try {
		if (text === undefined) return undefined;
		const { receipt, body } = JSON.parse(text) as { receipt?: unknown; body?: { receipt?: unknown } };
		return receipt ?? body?.receipt;
	} catch {
		// The bridge writes only JSON here, so this text was changed.
		return null;
	}
}

async function isGoing(receipts: ReceiptStore, runId: RunId): Promise<boolean> {
	const run = await receipts.findRun(runId);
	return run === undefined || run.isDeleting;
}

function ownerOf(runId: RunId | undefined, planId: PlanId | undefined): ChainOwner | undefined {
	return planId !== undefined ? { planId } : runId !== undefined ? { runId } : undefined;
}

function unmatched(owner: ChainOwner | undefined): ReceiptProblem {
	const where = owner === undefined ? "any chain" : owner.planId === undefined ? "this run's chain" : "this plan's chain";
	return { code: "FORGED", ...owner, message: `The hash that you saved is not in ${where}.` };
}

function unsaid(owner: ChainOwner, count: number): ReceiptProblem {
	const message = `This ${owner.planId === undefined ? "run" : "plan"} is in the ledger, but was removed without a record.`;
	return { code: "REMOVED_UNSAID", ...owner, n: count, message };
}
