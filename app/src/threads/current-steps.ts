import type { SessionUpdate, ThreadId } from "@xworkmate/contracts";
import { askedName } from "@xworkmate/contracts/asked-name";
import { isPermission } from "@xworkmate/contracts/is-permission";
import { fill, words } from "../strings/interface.ts";
import { isPastWork } from "../text/runs/is-past-work.ts";
import type { AppEvents } from "./app-events.ts";
import { findTurn, isSettled, type Thread } from "./domain/thread.ts";

/** The shortest time between two reports of a thread's new step, because a list that changes faster cannot be read. */
const PAUSE_MS = 1_000;
/** More than the name of a command has, which ends as the command does (see `askedName`). */
const MAX_CHARACTERS = 300;

/**
 * The maximum number of open steps that are kept, which is more than an agent has at once. There is a limit because some calls never report
 * an end.
 */
const MAX_OPEN = 50;
const PLAN = Symbol("plan");

type Update = SessionUpdate["update"];

/** The steps of one run. */
interface RunSteps {
	/** Calls that have not ended, by id, and the step of the plan that is in progress. Oldest first. */
	readonly open: Map<string | typeof PLAN, string>;
	/** Calls whose request is open, or ended without permission. */
	readonly held: Set<string>;
	/** Open calls that their agent has reported as running. */
	readonly begun: Set<string>;
}

/**
 * The current steps of runs, for lists: the newest call or step of the plan that has not ended. A call that is only announced, or whose
 * request has not been allowed, is left out. Steps are kept only in memory, because a run that continues reports its step again.
 */
export class CurrentSteps {
	readonly #runs = new Map<ThreadId, RunSteps>();
	readonly #waiting = new Map<ThreadId, NodeJS.Timeout>();
	readonly #events: AppEvents;

	/** Emits a change to a thread's summary at most once a second. */
	constructor(events: AppEvents) {
		this.#events = events;
		events.on("threadWritten", ({ threadId, after, updates }) => {
			if (updates !== undefined) this.#see(threadId, updates.items);
			if (!isWorking(after)) this.#forget(threadId);
		});
	}

	of(threadId: ThreadId): string | undefined {
		return [...(this.#runs.get(threadId)?.open.values() ?? [])].at(-1);
	}

	#see(threadId: ThreadId, updates: readonly SessionUpdate[]): void {
		const before = this.of(threadId);
		const run = this.#runs.get(threadId) ?? { open: new Map(), held: new Set(), begun: new Set() };
		for (const { update } of updates) follow(run, update);
		this.#runs.set(threadId, run);
		if (this.of(threadId) === before) return;
		if (this.#waiting.has(threadId)) return;
		const tell = () => {
			this.#waiting.delete(threadId);
			this.#events.emit("summaryChanged", threadId);
		};
		this.#waiting.set(threadId, setTimeout(tell, PAUSE_MS).unref());
	}

	/** Removes the step of a run that has ended. */
	#forget(threadId: ThreadId): void {
		this.#runs.delete(threadId);
		clearTimeout(this.#waiting.get(threadId));
		this.#waiting.delete(threadId);
	}

	close(): void {
		for (const threadId of this.#waiting.keys()) this.#forget(threadId);
	}
}

/** False once the thread's run has ended, even while its files are still being saved. */
function isWorking(thread: Thread | undefined): boolean {
	const turn = thread?.pendingTurnId === undefined ? undefined : findTurn(thread, thread.pendingTurnId);
	return turn !== undefined && !isSettled(turn.status);
}

function follow({ open, held, begun }: RunSteps, update: Update): void {
	// The agent has ended, and what it left open, such as the last step of its plan, is never reported as done.
	if (update.kind === "status" && isPastWork(update.progress?.stage)) open.clear();
	else if (update.kind === "tool_call") {
		const { toolCallId: id, state, title, input } = update;
		if (state !== "running" && state !== "pending") {
			open.delete(id);
			begun.delete(id);
			return;
		}
		if (state === "running") begun.add(id);
		// A pending call only updates an open step, because the call is merely announced: its agent may still ask about it or begin it later.
		if (state === "running" ? !held.has(id) : open.has(id)) begin(open, id, stepOf(begun.has(id), askedName(title, input).name));
	} else if (update.kind === "approval" && update.toolCallId !== undefined) {
		const { toolCallId: id, decision, title, input } = update;
		if (isPermission(decision)) {
			held.delete(id);
			begin(open, id, stepOf(begun.has(id), askedName(title, input).name));
		} else {
			held.add(id);
			open.delete(id);
		}
	} else if (update.kind === "plan") {
		const content = update.entries.find(({ state }) => state === "in_progress")?.content;
		if (content === undefined || shortened(content) !== open.get(PLAN)) open.delete(PLAN);
		if (content !== undefined) begin(open, PLAN, content);
	}
}

/** Not every agent reports that an allowed call begins, so until then nothing is known but that it was allowed. */
function stepOf(hasBegun: boolean, name: string): string {
	return hasBegun ? name : fill(words.sidebar.allowedStep, { name });
}

function begin(open: RunSteps["open"], key: string | typeof PLAN, step: string): void {
	open.set(key, shortened(step));
	const [oldest] = open.keys();
	if (open.size > MAX_OPEN && oldest !== undefined) open.delete(oldest);
}

function shortened(step: string): string {
	return step.length <= MAX_CHARACTERS ? step : `${step.slice(0, MAX_CHARACTERS - 1).toWellFormed()}…`;
}
