import { existsSync } from "node:fs";
import { join } from "node:path";
import { ContractError, isTerminal, type LedgerEnd, type RunId } from "@xworkmate/contracts";
import { type Clock, timestamp } from "../ports/clock.ts";
import type { LedgerEndStore, ReceiptStore } from "../ports/receipt-store.ts";
import type { LoggedEvent } from "../ports/run-event.ts";
import { LEDGER_FILE, type LedgerDraft, type LedgerFault, LedgerFile } from "./ledger-file.ts";

export interface ReceiptLedgerOptions {
	/** The folder of the ledger and its key. */
	readonly folder: string;
	readonly ends: LedgerEndStore;
	readonly receipts: ReceiptStore;
	readonly clock: Clock;
	/** How the ledger was found; it goes on with a new key. */
	readonly onFault: (fault: LedgerFault) => void;
	/** The ledger cannot be written, and its lines wait. */
	readonly onError: (error: unknown) => void;
}

/** A head is written at the latest so long after a receipt, */
const HEAD_MS = 5_000;
/** or after so many of a run. */
const HEAD_RECEIPTS = 256;
/** Lines that come close together cost one sync. */
const GATHER_MS = 25;
const TRY_AGAIN_MS = 1_000;

interface Progress {
	readonly count: number;
	readonly head: string;
	/** How many receipts the ledger vouches for, or soon will. */
	readonly said: number;
}

type Line = LedgerDraft & { readonly runId: RunId };

/** What the ledger was when a reading of it began. */
export interface LedgerReading extends Disposable {
	/** The key that signs now; absent: there has been no line yet, or none can be read. */
	readonly publicKey?: string;
	/** The last line, as the database has it. */
	readonly known?: LedgerEnd;
	lines(): AsyncIterable<string>;
	/** True for a run that got a line since. */
	isTouched(runId: RunId): boolean;
}

/**
 * Says outside the database, signed, how far the receipts of each run go. The run does not wait for it: what cannot be written now is
 * written when there is space, and what was not written when the process ended is written at the next start.
 */
export class ReceiptLedger {
	readonly #options: ReceiptLedgerOptions;
	/** Unfinished runs that have receipts. */
	readonly #runs = new Map<RunId, Progress>();
	/** Waits to be written; of a run's heads only the latest. */
	#heads = new Map<RunId, Line>();
	#others: Line[] = [];
	readonly #readings = new Set<Set<RunId>>();
	#file: LedgerFile | undefined;
	#draining: Promise<void> | undefined;
	#timer: Disposable | undefined;
	#isFailing = false;
	/** Resolves when the ledger can't be written. */
	#failure = Promise.withResolvers<void>();
	#closing = false;

	constructor(options: ReceiptLedgerOptions) {
		this.#options = options;
	}

	/** The key that signs now; undefined while no line has been written. */
	get publicKey(): string | undefined {
		return this.#file?.publicKey;
	}

	/** Reads the progress of unfinished runs, and checks an existing ledger, before runs continue. */
	async load(unfinished: readonly RunId[]): Promise<void> {
		for (const runId of unfinished) {
			const last = await this.#options.receipts.lastOf(runId);
			if (last !== undefined) this.#runs.set(runId, { count: last.n, head: last.hash, said: 0 });
		}
		if (this.#runs.size > 0) this.#arm();
		const known = await this.#options.ends.read();
		if (known !== undefined) await this.#tryOpen();
	}

	/** Writes the last line of each run that ended without one: its bridge was killed. */
	async finishLate(): Promise<void> {
		const finals = new Set<string>();
		using reading = await this.read();
		for await (const text of reading.lines()) {
			const runId = text.includes('"kind":"final"') ? /"runId":"([^"]+)"/.exec(text)?.[1] : undefined;
			if (runId !== undefined) finals.add(runId);
		}
		for (let after: number | undefined = 0; after !== undefined && !this.#closing; ) {
			const page: Awaited<ReturnType<ReceiptStore["runsAfter"]>> = await this.#options.receipts.runsAfter(after, 100);
			for (const { runId, isOver, isDeleting } of page.runs) {
				if (!isOver || isDeleting || finals.has(runId) || reading.isTouched(runId)) continue;
				const last = await this.#options.receipts.lastOf(runId);
				if (last !== undefined) this.#want({ ...this.#line("final", runId, last.n, last.hash), late: true });
			}
			after = page.next;
		}
	}

	/** Takes note of what was committed. */
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
			this.#heads.delete(runId);
			this.#want(this.#line("final", runId, progress.count, progress.head));
		} else if (progress.count - progress.said >= HEAD_RECEIPTS) this.#sayHead(runId, progress);
		else if (progress.count > progress.said) this.#arm();
	}

	/** Says now how far a run is, because it is about to wait for long. */
	noteParked(runId: RunId): void {
		const progress = this.#runs.get(runId);
		if (progress !== undefined && progress.count > progress.said) this.#sayHead(runId, progress);
	}

	/** Says that a run's receipts are deleted at the user's request, durably before it returns. */
	async noteRemoved(runId: RunId): Promise<void> {
		const last = await this.#options.receipts.lastOf(runId);
		if (last === undefined) return;
		this.#want(this.#line("removed", runId, last.n, last.hash));
		await this.#draining;
		if (this.#others.some((line) => line.kind === "removed" && line.runId === runId)) {
			throw new ContractError("INTERNAL", { detail: "The bridge is stopping. It continues to delete this thread when it starts again." });
		}
	}

	/** Begins a reading of the ledger, after writing what is due, unless the disk is full. `create`: begins the ledger if there is none. */
	async read({ create = false } = {}): Promise<LedgerReading> {
		if (!this.#isFailing) await Promise.race([this.#draining, this.#failure.promise]);
		const isThere = create || existsSync(join(this.#options.folder, LEDGER_FILE)) || (await this.#options.ends.read()) !== undefined;
		if (isThere && !this.#isFailing) await this.#tryOpen();
		const file = this.#file;
		const bytes = file?.bytes ?? 0;
		const known = await this.#options.ends.read();
		const touched = new Set<RunId>();
		this.#readings.add(touched);
		return {
			...(file === undefined ? {} : { publicKey: file.publicKey }),
			...(known === undefined ? {} : { known }),
			lines: () => file?.lines(bytes) ?? none(),
			isTouched: (runId) => touched.has(runId),
			[Symbol.dispose]: () => void this.#readings.delete(touched),
		};
	}

	/** Writes what is due, unless it cannot be written. */
	async close(): Promise<void> {
		this.#sayHeads();
		this.#closing = true;
		this.#timer?.[Symbol.dispose]();
		await this.#draining;
		await this.#file?.close();
	}

	#line(kind: LedgerDraft["kind"], runId: RunId, count: number, head: string): Line {
		return { at: timestamp(this.#options.clock.now()), kind, runId, count, head };
	}

	#sayHead(runId: RunId, { count, head }: Progress): void {
		this.#runs.set(runId, { count, head, said: count });
		this.#heads.set(runId, this.#line("head", runId, count, head));
		this.#drainSoon();
	}

	#sayHeads(): void {
		for (const [runId, progress] of this.#runs) if (progress.count > progress.said) this.#sayHead(runId, progress);
	}

	#want(line: Line): void {
		for (const touched of this.#readings) touched.add(line.runId);
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

	/** Never rejects. Ends when nothing waits, or when it cannot be written and the bridge is closing. */
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
				for (const [runId, line] of heads) if (!this.#heads.has(runId) && this.#runs.has(runId)) this.#heads.set(runId, line);
				if (this.#closing) return;
				await delay(TRY_AGAIN_MS);
			}
		}
	}

	async #write(lines: readonly Line[]): Promise<void> {
		const file = await this.#open();
		await file.append(lines);
		this.#works();
		await this.#saveEnd(file.end);
	}

	async #open(): Promise<LedgerFile> {
		if (this.#file !== undefined) return this.#file;
		const { folder, ends, clock, onFault } = this.#options;
		const { ledger, fault } = await LedgerFile.open(folder, await ends.read(), timestamp(clock.now()));
		this.#file = ledger;
		this.#works();
		if (fault !== undefined) onFault(fault);
		await this.#saveEnd(ledger.end);
		return ledger;
	}

	/** The ledger may be ahead of the database: the next line brings it up. */
	async #saveEnd(end: LedgerEnd): Promise<void> {
		await this.#options.ends.write(end).catch((error: unknown) => this.#options.onError(error));
	}

	async #tryOpen(): Promise<void> {
		await this.#open().catch((error: unknown) => this.#failed(error));
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

async function* none(): AsyncGenerator<string> {}

function delay(milliseconds: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
