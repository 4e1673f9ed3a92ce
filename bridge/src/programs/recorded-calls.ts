import type { ReceiptDraft, ToolId } from "@xworkmate/contracts";
import type { Clock } from "../ports/clock.ts";
import type { ProgramLog } from "../ports/programs/program-log.ts";
import type { ProgramClock } from "../ports/programs/sandbox.ts";
import type { RunStep, StepResult } from "../ports/runs/run-step.ts";
import { hashedText, sha256Of } from "./input-hash.ts";
import type { Replay } from "./replay.ts";
import { ResumeMismatch } from "./resume-mismatch.ts";

export interface RecordedCallsOptions {
	readonly program: Extract<RunStep, { kind: "program" }>;
	readonly replay: Replay | undefined;
	/** If absent, the program cannot call integrations, so nothing has to be recorded. */
	readonly log: ProgramLog | undefined;
	readonly clock: Clock;
	/** True: the program is recorded, whatever it calls. */
	readonly isRecorded?: boolean;
	/** Called when the program, run again, does not repeat what it did before. The callee must end the program. */
	readonly onMismatch: (mismatch: ResumeMismatch) => void;
	/** Called when a call has begun, or its answer is being sent. */
	readonly onChange: () => void;
}

const DROPPED = { ok: false, error: { code: "STOPPED", message: "the program has ended" } } as const;

/** Records the answer to a call. If there are receipts, the promise settles when they are durable, unless the call was a read. */
export type Settle = (result: StepResult, receipts: readonly ReceiptDraft[]) => Promise<StepResult>;

export interface CallBeginning {
	readonly call: number;
	readonly toolId: ToolId | "time.wait";
	readonly input: unknown;
	/** True for a call to an integration: the program is recorded from its first such call on. */
	readonly isTyped: boolean;
}

/**
 * The non-blocking calls of a program. The order in which they begin and are answered is recorded, and is kept when the program is run
 * again.
 */
export class RecordedCalls {
	readonly #options: RecordedCallsOptions;
	/** The steps of a program that has not called an integration, held back because they are needed only once it does. */
	#held: RunStep[] | undefined;
	readonly #replayed = Promise.withResolvers<void>();
	/** Keyed by call: releases an answer waiting for its place in the recorded order. */
	readonly #turns = new Map<number, () => void>();
	/** The calls without an answer, by number; true for a typed call. */
	readonly #open = new Map<number, boolean>();
	readonly #settled = new Set<number>();
	#clockMs: number;
	#sent = 0;

	constructor(options: RecordedCallsOptions) {
		this.#options = options;
		this.#clockMs = options.program.clockMs;
		this.#held = options.replay === undefined ? [options.program] : undefined;
		if (options.isRecorded === true) this.#record([], [], true);
		this.#pump();
	}

	/** How many calls have no answer yet. */
	get open(): number {
		return this.#open.size;
	}

	/** The typed calls without an answer. */
	get openTypedCalls(): readonly number[] {
		return [...this.#open].filter(([, isTyped]) => isTyped).map(([call]) => call);
	}

	get openTyped(): number {
		return this.openTypedCalls.length;
	}

	/** True once the program has repeated everything that was recorded. */
	get isLive(): boolean {
		return this.#options.replay?.isDone ?? true;
	}

	/** The clock of the program. */
	get time(): ProgramClock {
		const { program, replay } = this.#options;
		return {
			startMs: program.clockMs,
			seed: program.seed,
			delivering: (call) => this.#delivering(call),
			...(replay !== undefined && { waiting: (taken: number) => this.#waiting(taken) }),
		};
	}

	/** Answers one call: from the record, or by `work`, which begins once the program has repeated everything recorded. */
	async answer({ call, toolId, input, isTyped }: CallBeginning, work: (settle: Settle) => Promise<StepResult>): Promise<StepResult> {
		const { replay } = this.#options;
		const inputHash = sha256Of(hashedText(input));
		try {
			if (replay?.begins(call, toolId, inputHash) !== true) {
				const passed = input === undefined ? {} : { input };
				this.#record([{ kind: "began", call, toolId, inputHash, ...passed }], [], isTyped);
			}
		} catch (error) {
			return this.#mismatch(error);
		}
		this.#open.set(call, isTyped);
		this.#options.onChange();
		this.#pump();
		const recorded = replay?.resultOf(call);
		if (recorded === undefined) {
			await this.#replayed.promise;
			return work((result, receipts) => this.#settle(call, result, receipts));
		}
		await (replay?.wasDelivered(call) === true ? this.#turn(call) : this.#replayed.promise);
		return recorded;
	}

	/** Records that a call of a program that has ended was dropped, so that it is not carried out if the program is run again. */
	drop(call: number): void {
		if (this.#settled.has(call) || this.#options.replay?.resultOf(call) !== undefined) return;
		this.#record([{ kind: "settled", call, result: DROPPED }], [], false);
	}

	/**
	 * Called when the program has ended.
	 * @throws ResumeMismatch if it left out something that it had done before
	 */
	end(): void {
		if (this.#options.replay?.isDone === false) throw this.#options.replay.missing();
	}

	async #settle(call: number, result: StepResult, receipts: readonly ReceiptDraft[]): Promise<StepResult> {
		this.#settled.add(call);
		// A read changes nothing. If its outcome is lost with the bridge, so is everything that the program did with it, so the read can be
		// made again.
		const isRead = receipts.every(({ risk }) => risk === "read");
		this.#record([{ kind: "settled", call, result }], receipts, false, isRead);
		if (!isRead) await this.#options.log?.durable();
		return result;
	}

	#record(steps: readonly RunStep[], receipts: readonly ReceiptDraft[], isTyped: boolean, later = false): void {
		const { log } = this.#options;
		if (log === undefined) return;
		if (this.#held !== undefined && !isTyped) {
			this.#held.push(...steps);
			return;
		}
		const held = this.#held ?? [];
		this.#held = undefined;
		if (held.length + steps.length > 0) log.write([...held, ...steps], receipts, later);
	}

	#turn(call: number): Promise<void> {
		return new Promise((resolve) => {
			this.#turns.set(call, resolve);
			this.#pump();
		});
	}

	/** Releases the next recorded answer if its turn has come. */
	#pump(): void {
		const { replay } = this.#options;
		if (replay === undefined || replay.isDone) this.#replayed.resolve();
		const due = replay?.due;
		if (due === undefined) return;
		this.#turns.get(due)?.();
		this.#turns.delete(due);
	}

	/** Called when an answer is being sent. Returns the program's clock, which blocking calls do not move, because they are not recorded. */
	#delivering(call: number): number {
		if (!this.#open.delete(call)) return this.#clockMs;
		const { replay, clock } = this.#options;
		this.#sent += 1;
		if (replay?.wasDelivered(call) === true) {
			this.#clockMs = replay.delivers(call);
			this.#pump();
		} else {
			this.#clockMs = Math.max(this.#clockMs, clock.now());
			this.#record([{ kind: "delivered", call, clockMs: this.#clockMs }], [], false);
		}
		this.#options.onChange();
		return this.#clockMs;
	}

	/** Called when the program is waiting. If it has received every answer and a recorded call is still missing, it will never make that call. */
	#waiting(taken: number): void {
		const { replay } = this.#options;
		if (replay === undefined || replay.isDone || taken !== this.#sent || replay.due !== undefined) return;
		this.#options.onMismatch(replay.missing());
	}

	/** Reports the mismatch, which ends the program. The returned promise never settles, because the program can no longer get an answer. */
	#mismatch(error: unknown): Promise<never> {
		if (!(error instanceof ResumeMismatch)) throw error;
		this.#options.onMismatch(error);
		return new Promise(() => undefined);
	}
}
