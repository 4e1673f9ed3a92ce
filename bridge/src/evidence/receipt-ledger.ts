import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ChainOwner, ContractError, isTerminal, omitUndefined, type PlanId, type Receipt, type RunId } from "@xworkmate/contracts";
import { errorMessage } from "@xworkmate/platform/errors";
import { timestamp } from "../ports/clock.ts";
import type { LoggedEvent } from "../ports/runs/run-event.ts";
import type { ReceiptStore } from "../ports/tools/receipt-store.ts";
import { type LedgerReading, lateLines } from "./late-lines.ts";
import { LEDGER_FILE, type LedgerDraft } from "./ledger-file.ts";
import { LedgerOpener, type LedgerOpenerOptions } from "./ledger-opener.ts";

export interface ReceiptLedgerOptions extends LedgerOpenerOptions {
	readonly receipts: ReceiptStore;
	/** Called when the ledger can't be opened or written, so that its lines wait, and when its end can't be saved to the database. */
	readonly onError: (error: unknown) => void;
}

/**
 * A head is due at most this long after a receipt. It is written together with the other lines of the next `GATHER_MS`, or later if the
 * ledger can't be written.
 */
const HEAD_MS = 5_000;
/** A head is written at the latest after this many receipts of a run or a plan. */
const HEAD_RECEIPTS = 256;
/** Lines that arrive within this time are written with one sync. */
const GATHER_MS = 25;
const TRY_AGAIN_MS = 1_000;

interface Progress {
	readonly count: number;
	readonly head: string;
	/** How many receipts the ledger vouches for, including in a line that is about to be written. */
	readonly said: number;
}

type Line = LedgerDraft & ChainOwner;

/**
 * Records outside the database, with a signature, how many receipts each run and each plan has. Runs do not wait for this. If a line
 * cannot be written, the ledger tries again. Lines that were not written when the process ended are written at the next start.
 */
export class ReceiptLedger {
	readonly #options: ReceiptLedgerOptions;
	readonly #opener: LedgerOpener;
	/** Unfinished runs that have receipts. */
	readonly #runs = new Map<RunId, Progress>();
	/** Plans with receipts that the ledger does not vouch for. */
	readonly #plans = new Map<PlanId, Progress>();
	/** Lines waiting to be written; for each run or plan, only the latest head. */
	#heads = new Map<string, Line>();
	#others: Line[] = [];
	readonly #readings = new Set<Set<string>>();
	#draining: Promise<void> | undefined;
	#timer: Disposable | undefined;
	#isFailing = false;
	/** Resolves when the ledger can't be written. */
	#failure = Promise.withResolvers<void>();
	#closing = false;

	constructor(options: ReceiptLedgerOptions) {
		this.#options = options;
		this.#opener = new LedgerOpener(options);
	}

	/** The key that signs now; undefined until the ledger has been opened. */
	get publicKey(): string | undefined {
		return this.#opener.file?.publicKey;
	}

	/** Reads the progress of unfinished runs, and checks an existing ledger, before runs continue. */
	async load(unfinished: readonly RunId[]): Promise<void> {
		for (const runId of unfinished) {
			const last = await this.#options.receipts.lastOf({ runId });
			if (last !== undefined) this.#runs.set(runId, { count: last.n, head: last.hash, said: 0 });
		}
		if (this.#runs.size > 0) this.#arm();
		const known = await this.#options.ends.read();
		if (known !== undefined) await this.#tryOpen();
	}

	/**
	 * Writes the final line of each run that ended without one, and the head of each plan that has newer receipts. These lines are
	 * missing because the bridge was killed.
	 */
	async finishLate(): Promise<void> {
		using reading = await this.read();
		// If the ledger can't be read, the bridge can't tell which lines are missing.
		if (reading.failure !== undefined) return;
		for await (const { kind, last, ...owner } of lateLines(this.#options.receipts, reading)) {
			if (this.#closing) return;
			if (owner.planId !== undefined && this.#plans.has(owner.planId)) continue;
			if (!reading.isTouched(owner)) this.#want({ ...this.#line(kind, owner, last.n, last.hash), late: true });
		}
	}

	/** Takes note of a plan's committed receipts, in their order. */
	notePlan(planId: PlanId, receipts: readonly Receipt[]): void {
		const [first] = receipts;
		const last = receipts.at(-1);
		if (first === undefined || last === undefined) return;
		const progress = { count: last.n, head: last.hash, said: this.#plans.get(planId)?.said ?? first.n - 1 };
		this.#plans.set(planId, progress);
		if (progress.count - progress.said >= HEAD_RECEIPTS) this.#sayPlan(planId, progress);
		else this.#arm();
	}

	/** Takes note of a run's committed events. */
	note(runId: RunId, events: readonly LoggedEvent[]): void {
		for (const { event } of events) {
			if (event.type !== "receipt") continue;
			const { n, hash } = event.receipt;
			this.#runs.set(runId, { count: n, head: hash, said: this.#runs.get(runId)?.said ?? 0 });
		}
		const progress = this.#runs.get(runId);
		if (progress === undefined) return;
		const status = events.at(-1)?.status;
		if (status !== undefined && isTerminal(status)) {
			this.#runs.delete(runId);
			this.#heads.delete(keyOf({ runId }));
			this.#want(this.#line("final", { runId }, progress.count, progress.head));
		} else if (progress.count - progress.said >= HEAD_RECEIPTS) this.#sayHead(runId, progress);
		else if (progress.count > progress.said) this.#arm();
	}

	/** Records now how many receipts a run has, because the run is about to wait for a long time. */
	noteParked(runId: RunId): void {
		const progress = this.#runs.get(runId);
		if (progress !== undefined && progress.count > progress.said) this.#sayHead(runId, progress);
	}

	/**
	 * Records that a run's receipts are deleted at the user's request. The line is durable once this returns. Has no effect for a run
	 * without receipts.
	 * @throws ContractError INTERNAL if the bridge stops before the line is written
	 */
	async noteRemoved(runId: RunId): Promise<void> {
		const last = await this.#options.receipts.lastOf({ runId });
		if (last === undefined) return;
		this.#want(this.#line("removed", { runId }, last.n, last.hash));
		await this.#draining;
		if (this.#others.some((line) => line.kind === "removed" && line.runId === runId)) {
			const detail = "The bridge is stopping. It will remove its part of this thread when it starts again.";
			throw new ContractError("INTERNAL", { detail, fix: "Start XWorkmate again, then delete the thread again." });
		}
	}

	/**
	 * Starts reading the ledger, after writing the lines that are due if they can be written. `create`: creates the ledger if there is none.
	 */
	async read({ create = false } = {}): Promise<LedgerReading> {
		if (!this.#isFailing) await Promise.race([this.#draining, this.#failure.promise]);
		const isThere = create || existsSync(join(this.#options.folder, LEDGER_FILE)) || (await this.#options.ends.read()) !== undefined;
		const failure = isThere ? await this.#tryOpen() : undefined;
		const { file } = this.#opener;
		const bytes = file?.bytes ?? 0;
		const known = await this.#options.ends.read();
		const touched = new Set<string>();
		this.#readings.add(touched);
		return {
			...(file === undefined ? {} : { publicKey: file.publicKey }),
			...omitUndefined({ known, failure }),
			lines: () => file?.lines(bytes) ?? none(),
			isTouched: (owner) => touched.has(keyOf(owner)),
			[Symbol.dispose]: () => void this.#readings.delete(touched),
		};
	}

	/** Writes the lines that are due, as far as possible, and closes the ledger. */
	async close(): Promise<void> {
		this.#sayHeads();
		this.#closing = true;
		this.#timer?.[Symbol.dispose]();
		await this.#draining;
		await this.#opener.file?.close();
	}

	#line(kind: LedgerDraft["kind"], owner: ChainOwner, count: number, head: string): Line {
		return { at: timestamp(this.#options.clock.now()), kind, ...owner, count, head };
	}

	#sayHead(runId: RunId, { count, head }: Progress): void {
		this.#runs.set(runId, { count, head, said: count });
		this.#heads.set(keyOf({ runId }), this.#line("head", { runId }, count, head));
		this.#drainSoon();
	}

	/** A plan has no final line, so its progress is not kept. */
	#sayPlan(planId: PlanId, { count, head }: Progress): void {
		this.#plans.delete(planId);
		const line = this.#line("head", { planId }, count, head);
		for (const touched of this.#readings) touched.add(keyOf(line));
		this.#heads.set(keyOf(line), line);
		this.#drainSoon();
	}

	#sayHeads(): void {
		for (const [runId, progress] of this.#runs) if (progress.count > progress.said) this.#sayHead(runId, progress);
		for (const [planId, progress] of this.#plans) this.#sayPlan(planId, progress);
	}

	#want(line: Line): void {
		for (const touched of this.#readings) touched.add(keyOf(line));
		this.#others.push(line);
		this.#drainSoon();
	}

	#arm(): void {
		const { clock } = this.#options;
		this.#timer ??= clock.at(clock.now() + HEAD_MS, () => {
			this.#timer = undefined;
			this.#sayHeads();
		});
	}

	#drainSoon(): void {
		this.#draining ??= this.#drain().finally(() => {
			this.#draining = undefined;
			if (this.#heads.size + this.#others.length > 0 && !this.#closing) this.#drainSoon();
		});
	}

	/** Writes what is waiting. Never rejects. Ends when nothing is left, or when the ledger cannot be written and the bridge is closing. */
	async #drain(): Promise<void> {
		await delay(GATHER_MS);
		while (this.#heads.size + this.#others.length > 0) {
			const heads = this.#heads;
			const others = this.#others;
			this.#heads = new Map();
			this.#others = [];
			try {
				await this.#write([...heads.values(), ...others]);
			} catch (error) {
				this.#failed(error);
				this.#others = [...others, ...this.#others];
				for (const [key, line] of heads) if (!this.#heads.has(key) && this.#isWanted(line)) this.#heads.set(key, line);
				if (this.#closing) return;
				await delay(TRY_AGAIN_MS);
			}
		}
	}

	async #write(lines: readonly Line[]): Promise<void> {
		const file = await this.#opener.open();
		await file.append(lines);
		this.#works();
		await this.#opener.saveEnd(file.end);
	}

	/** Returns why the ledger can't be opened; undefined if it is open. */
	async #tryOpen(): Promise<string | undefined> {
		if (this.#opener.file !== undefined) return undefined;
		try {
			await this.#opener.open();
			this.#works();
			return undefined;
		} catch (error) {
			this.#failed(error);
			return errorMessage(error);
		}
	}

	/** False for a head of a run that has since ended: the run gets its final line instead. */
	#isWanted({ runId }: Line): boolean {
		return runId === undefined || this.#runs.has(runId);
	}

	#works(): void {
		if (this.#isFailing) this.#failure = Promise.withResolvers();
		this.#isFailing = false;
	}

	#failed(error: unknown): void {
		if (this.#isFailing) return;
		this.#options.onError(error);
		this.#isFailing = true;
		this.#failure.resolve();
	}
}

function keyOf({ runId, planId }: ChainOwner): string {
	return planId === undefined ? `run ${runId}` : `plan ${planId}`;
}

async function* none(): AsyncGenerator<string> {}

function delay(milliseconds: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
