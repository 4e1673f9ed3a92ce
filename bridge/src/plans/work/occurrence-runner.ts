import {
	ContractError,
	isTerminal,
	type MethodParams,
	type MethodResult,
	type Occurrence,
	type OccurrenceId,
	type PlanId,
	type PlanRun,
	type ReceiptType,
	type RunId,
	type Snapshot,
} from "@xworkmate/contracts";
import { type Clock, timestamp } from "../../ports/clock.ts";
import type { PlanEvent, PlanState } from "../../ports/plans/plan-event.ts";
import type { PlanStore } from "../../ports/plans/plan-store.ts";
import type { RunService } from "../../ports/runs/run-service.ts";
import { decideAgain, decideMend, isMending } from "../domain/decide-again.ts";
import { decideBegin, decideRunKnown, decideWorked, type WorkResult } from "../domain/decide-occurrence.ts";
import { decideWaits } from "../domain/decide-waits.ts";
import { isOver } from "../domain/plan-state.ts";
import { openOccurrence } from "../find-plan.ts";
import { millis } from "../missed-times.ts";
import type { PlanLog } from "../plan-log.ts";
import { mayBegin } from "./may-begin.ts";
import { isMendable } from "./mend-prompt.ts";
import { PlanQueue } from "./plan-queue.ts";
import { ifFound, type PlanTurnParts, submitTurn } from "./plan-turn.ts";
import { type EndedRun, type ResultParts, workResult } from "./work-result.ts";

export interface RunnerParts extends PlanTurnParts, Omit<ResultParts, "log"> {
	readonly store: Pick<PlanStore, "find" | "openPlans" | "findOccurrence">;
	readonly log: Pick<PlanLog, "change" | "onCommitted">;
	readonly runs: RunService;
	/** Lists the receipts of a run, newest first. */
	readonly receipts: (params: MethodParams<"xworkmate.receipts.list">) => Promise<MethodResult<"xworkmate.receipts.list">>;
	readonly clock: Clock;
	readonly onError: (error: unknown) => void;
}

const PAGE = 200;
/** A call with one of these receipts has begun. */
const BEGUN: readonly ReceiptType[] = ["tool.call.started", "tool.call.succeeded", "tool.call.failed", "tool.call.unknown"];
/** The delay before a failed step is tried again, such as a submission that was refused temporarily. */
const RETRY_MS = 5_000;
/** Work that was refused temporarily is retried until this long after its due time. After that, the work fails. */
const SUBMIT_MS = 24 * 60 * 60_000;

/**
 * Handles each occurrence from its due time to the end of its work. The next step depends only on the plan's log, so a plan is examined
 * again whenever something may have changed: when its log changes, when one of its runs ends, and when the bridge starts.
 */
export class OccurrenceRunner implements AsyncDisposable {
	readonly #parts: RunnerParts;
	readonly #queue: PlanQueue;
	/** The plan to examine when a run ends. */
	readonly #followed = new Map<RunId, PlanId>();
	readonly #retries = new Map<PlanId, Disposable>();
	#retryOfTakeUp: Disposable | undefined;
	/** The latest attempt to queue the open plans that an earlier bridge left, and to stop the runs of occurrences that were over. */
	#takingUp: Promise<void> = Promise.resolve();
	#unsubscribe: () => void = () => undefined;
	#isStopped = false;

	constructor(parts: RunnerParts) {
		this.#parts = parts;
		this.#queue = new PlanQueue((planId) => this.#attend(planId));
	}

	/** Continues the work that an earlier bridge left. A failure of the store is passed to `onError`, and the failed step is tried again. */
	async begin(): Promise<void> {
		const { log, runs } = this.#parts;
		const offPlans = log.onCommitted((events) => {
			for (const { planId } of events) this.#queue.add(planId);
		});
		const offRuns = runs.log.onCommittedAny((runId, events) => {
			const planId = this.#followed.get(runId);
			if (planId === undefined || !events.some(({ event }) => event.type === "ended")) return;
			this.#followed.delete(runId);
			this.#queue.add(planId);
		});
		this.#unsubscribe = () => {
			offPlans();
			offRuns();
		};
		await this.#takeUp();
	}

	/** Once this resolves, no work is started or concluded. Runs continue. */
	async [Symbol.asyncDispose](): Promise<void> {
		this.#isStopped = true;
		this.#unsubscribe();
		for (const timer of this.#retries.values()) timer[Symbol.dispose]();
		this.#retryOfTakeUp?.[Symbol.dispose]();
		await this.#takingUp;
		await this.#queue.close();
	}

	#takeUp(): Promise<void> {
		this.#takingUp = (async () => {
			try {
				await this.#addOpen();
				await this.#endForgotten();
			} catch (error) {
				if (this.#isStopped) return;
				const { clock, onError } = this.#parts;
				onError(error);
				this.#retryOfTakeUp = clock.at(clock.now() + RETRY_MS, () => void this.#takeUp());
			}
		})();
		return this.#takingUp;
	}

	async #addOpen(): Promise<void> {
		for (let after: PlanId | undefined; !this.#isStopped; ) {
			const plans = await this.#parts.store.openPlans(PAGE, after);
			for (const planId of plans) this.#queue.add(planId);
			after = plans.at(-1);
			if (plans.length < PAGE) return;
		}
	}

	/** Stops runs of occurrences that were cancelled just before the bridge ended. */
	async #endForgotten(): Promise<void> {
		const { runs, store } = this.#parts;
		for (const status of ["queued", "running"] as const) {
			for (let cursor: string | undefined, isMore = true; isMore; isMore = cursor !== undefined) {
				const { items, nextCursor } = await runs.list({ status, limit: PAGE, ...(cursor !== undefined && { cursor }) });
				cursor = nextCursor;
				for (const { runId, origin, turnId } of items) {
					if (this.#isStopped) return;
					if (origin?.kind !== "plan") continue;
					const occurrence = await store.findOccurrence(turnId.slice(0, turnId.lastIndexOf("-")) as OccurrenceId);
					if (occurrence !== undefined && isOver(occurrence)) await this.#end(runId);
				}
			}
		}
	}

	async #attend(planId: PlanId): Promise<void> {
		try {
			const state = await this.#parts.store.find(planId);
			for (const { occurrence } of state?.open ?? []) {
				if (this.#isStopped || state === undefined) return;
				if (occurrence.status === "due") await this.#beginOne(planId, occurrence);
				else if (occurrence.status === "running") await this.#work(state, occurrence);
			}
		} catch (error) {
			if (this.#isStopped) return;
			this.#parts.onError(error);
			this.#attendLater(planId);
		}
	}

	#attendLater(planId: PlanId): void {
		const { clock } = this.#parts;
		this.#retries.get(planId)?.[Symbol.dispose]();
		const timer = clock.at(clock.now() + RETRY_MS, () => {
			this.#retries.delete(planId);
			this.#queue.add(planId);
		});
		this.#retries.set(planId, timer);
	}

	async #beginOne(planId: PlanId, { occurrenceId }: Occurrence): Promise<void> {
		await this.#parts.log.change(planId, (state) => {
			const open = openOccurrence(state, occurrenceId);
			return open === undefined || !mayBegin(state, open.occurrence) ? [] : decideBegin(open, state.plan, state.plan.threadId);
		});
	}

	async #work(state: PlanState, occurrence: Occurrence): Promise<void> {
		const run = occurrence.runs.at(-1);
		if (run === undefined || run.status !== undefined) return;
		const { planId } = state.plan;
		const runId = run.runId ?? (await this.#submit(state, occurrence, run));
		if (runId === undefined) return;
		// Set before the snapshot is read, so that an end between the two is noticed.
		this.#followed.set(runId, planId);
		const snapshot = await ifFound(this.#parts.runs.snapshot(runId));
		if (snapshot === undefined) await this.#conclude(planId, occurrence, run, { run: gone, output: "" });
		else if (isEnded(snapshot)) await this.#ended(state, occurrence, { ...run, runId }, snapshot);
	}

	/** Submits the work. Returns the id of its run; undefined if there is none to follow. */
	async #submit({ plan }: PlanState, occurrence: Occurrence, { turnId }: PlanRun): Promise<RunId | undefined> {
		const { planId } = plan;
		const { occurrenceId } = occurrence;
		let runId: RunId;
		try {
			runId = await submitTurn(this.#parts, plan, occurrence, turnId);
		} catch (error) {
			if (!(error instanceof ContractError)) throw error;
			const { clock } = this.#parts;
			if (error.retryable && clock.now() - millis(occurrence.dueAt) < SUBMIT_MS) {
				this.#attendLater(planId);
				const waits = { code: error.code, message: error.message.slice(0, 2_000), since: timestamp(clock.now()) };
				await this.#change(planId, occurrenceId, (open) => decideWaits(open, turnId, waits));
			} else await this.#conclude(planId, occurrence, { turnId }, { run: refusedBy(error), output: "" });
			return undefined;
		}
		this.#followed.set(runId, planId);
		const { state } = await this.#change(planId, occurrenceId, (open) => decideRunKnown(open, turnId, runId));
		// The occurrence was cancelled while its work was being submitted.
		if (openOccurrence(state, occurrenceId)?.occurrence.status !== "running") {
			await this.#end(runId);
			return undefined;
		}
		return runId;
	}

	async #ended({ plan }: PlanState, occurrence: Occurrence, run: PlanRun, snapshot: EndedRun): Promise<void> {
		const { planId, threadId } = plan;
		const { occurrenceId } = occurrence;
		this.#followed.delete(snapshot.runId);
		const result = await workResult({ ...this.#parts, log: this.#parts.runs.log }, occurrence, snapshot);
		if (await this.#mayRepeat(occurrence, snapshot)) {
			await this.#change(planId, occurrenceId, (open) => decideAgain(open, run.turnId, result.run, threadId));
		} else if (await this.#mayMend(occurrence, snapshot, result)) {
			await this.#change(planId, occurrenceId, (open) => decideMend(open, run.turnId, result, threadId));
		} else await this.#conclude(planId, occurrence, run, result);
	}

	/**
	 * True if the bridge's end interrupted the work for the first time, and neither its receipts nor its folders show that it has changed
	 * anything. The folders are checked because an agent may write or delete files without reporting it.
	 */
	async #mayRepeat({ runs }: Occurrence, { runId, status, code, workedIn, edits }: EndedRun): Promise<boolean> {
		const isByBridge = status === "interrupted" && (code === "BRIDGE_RESTARTED" || code === "BRIDGE_STOPPED");
		if (!isByBridge || runs.some((run) => run.status === "interrupted")) return false;
		if (workedIn !== undefined || edits !== undefined) return false;
		const { items, nextCursor } = await this.#parts.receipts({ runId, limit: PAGE });
		const isReported = nextCursor !== undefined || items.some(({ type, risk }) => risk !== "read" && BEGUN.includes(type));
		return !isReported && !(await this.#parts.runs.mayHaveChangedFiles(runId));
	}

	/**
	 * True if the agent can fix everything that the channels object to, and continue its conversation. An occurrence's work is fixed only
	 * once, and not at all if anything else casts doubt on the result.
	 */
	async #mayMend(
		occurrence: Occurrence,
		{ provider }: EndedRun,
		{ run, gate, grounding, findings = {}, doubt }: WorkResult,
	): Promise<boolean> {
		if (doubt !== undefined || run.status !== "completed" || gate?.valid !== true || isMending(occurrence)) return false;
		if (grounding?.state === "unverified" || grounding?.state === "replaced") return false;
		if (!isMendable(Object.values(findings).flat())) return false;
		const found = (await this.#parts.providers()).find(({ providerId }) => providerId === provider.providerId);
		return found?.features.followUp === true;
	}

	async #conclude(planId: PlanId, { occurrenceId }: Occurrence, { turnId }: Pick<PlanRun, "turnId">, result: WorkResult): Promise<void> {
		await this.#change(planId, occurrenceId, (open, state) => decideWorked(open, state.plan, turnId, result));
	}

	#change(
		planId: PlanId,
		occurrenceId: OccurrenceId,
		decide: (open: NonNullable<ReturnType<typeof openOccurrence>>, state: PlanState) => readonly PlanEvent[],
	) {
		return this.#parts.log.change(planId, (state) => {
			const open = openOccurrence(state, occurrenceId);
			return open === undefined ? [] : decide(open, state);
		});
	}

	/** Cancels a run that is no longer needed. */
	async #end(runId: RunId): Promise<void> {
		await ifFound(this.#parts.runs.cancel(runId));
	}
}

const gone = { status: "failed", message: "The run was deleted." } as const;

function refusedBy({ message, fix }: ContractError): WorkResult["run"] {
	return { status: "failed", message: `${message} ${fix}`.slice(0, 2_000) };
}

function isEnded(snapshot: Snapshot): snapshot is EndedRun {
	return isTerminal(snapshot.status);
}
