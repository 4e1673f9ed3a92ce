import type { SessionUpdate, ThreadId } from "@xworkmate/contracts";
import { askedName } from "@xworkmate/contracts/asked-name";
import type { AppEvents } from "./app-events.ts";

/** The shortest time between two reports of a thread's new step, because a list that changes faster cannot be read. */
const PAUSE_MS = 1_000;
const MAX_CHARACTERS = 120;

/**
 * The current steps of runs, for lists: a tool or a step of the plan, whichever was reported last. Kept only in memory, because a run that
 * continues reports its step again.
 */
export class CurrentSteps {
	readonly #doing = new Map<ThreadId, string>();
	readonly #waiting = new Map<ThreadId, NodeJS.Timeout>();
	readonly #events: AppEvents;

	/** Emits a change of a thread's summary at most once a second. */
	constructor(events: AppEvents) {
		this.#events = events;
		events.on("threadWritten", ({ threadId, after, updates }) => {
			if (updates !== undefined) this.#see(threadId, updates.items);
			if (after?.pendingTurnId === undefined) this.#forget(threadId);
		});
	}

	of(threadId: ThreadId): string | undefined {
		return this.#doing.get(threadId);
	}

	#see(threadId: ThreadId, updates: readonly SessionUpdate[]): void {
		const doing = updates
			.reduce<string | undefined>((before, { update }) => doingOf(update) ?? before, undefined)
			?.slice(0, MAX_CHARACTERS);
		if (doing === undefined || doing === this.#doing.get(threadId)) return;
		this.#doing.set(threadId, doing);
		if (this.#waiting.has(threadId)) return;
		const tell = () => {
			this.#waiting.delete(threadId);
			this.#events.emit("summaryChanged", threadId);
		};
		this.#waiting.set(threadId, setTimeout(tell, PAUSE_MS).unref());
	}

	/** Removes the step of a run that has ended. */
	#forget(threadId: ThreadId): void {
		this.#doing.delete(threadId);
		clearTimeout(this.#waiting.get(threadId));
		this.#waiting.delete(threadId);
	}

	close(): void {
		for (const threadId of this.#waiting.keys()) this.#forget(threadId);
	}
}

function doingOf(update: SessionUpdate["update"]): string | undefined {
	if (update.kind === "tool_call")
		return update.state === "running" || update.state === "pending" ? askedName(update.title, update.input).name : undefined;
	if (update.kind === "plan") return update.entries.find(({ state }) => state === "in_progress")?.content;
	return undefined;
}
