import type { ThreadId, TurnId } from "@xworkmate/contracts";
import type { AppEvents } from "./app-events.ts";
import { ChangeMarks } from "./change-marks.ts";
import type { Turn } from "./index.ts";

/** The maximum number of turns that are remembered. If there are more, pages read their threads as a whole again. */
const KEPT_TURNS = 10_000;

/**
 * Determines which turns were written since a page read their thread, so that only those are sent. The record is kept in memory, so after a
 * restart, all turns are sent.
 */
export class TurnChanges {
	readonly #marks = new ChangeMarks();
	readonly #changed = new Map<ThreadId, Map<TurnId, number>>();
	#kept = 0;

	constructor(events: AppEvents) {
		events.on("threadWritten", ({ threadId, before, after }) => {
			const known = new Set(before?.turns);
			const turns = after?.turns ?? [];
			for (const turn of turns) if (!known.has(turn)) this.#see(threadId, turn);
			// A new message drops the attached files of the turn before it, so that turn has changed too.
			const earlier = turns.length > known.size ? turns.at(-2) : undefined;
			if (earlier !== undefined) this.#see(threadId, earlier);
			if (after === undefined) this.#changed.delete(threadId);
		});
	}

	/** The mark for a page that reads a thread now. */
	get mark(): string {
		return this.#marks.now;
	}

	/** Undefined if it is not known which turns were written. */
	since(threadId: ThreadId, mark: string | undefined): ReadonlySet<TurnId> | undefined {
		const read = this.#marks.read(mark);
		if (read === undefined) return undefined;
		const changed = [...(this.#changed.get(threadId) ?? [])].filter(([, number]) => number > read);
		return new Set(changed.map(([turnId]) => turnId));
	}

	#see(threadId: ThreadId, { turnId }: Turn): void {
		const ofThread = this.#changed.get(threadId) ?? new Map<TurnId, number>();
		if (!ofThread.has(turnId)) this.#kept++;
		if (this.#kept > KEPT_TURNS) {
			this.#changed.clear();
			this.#marks.restart();
			this.#kept = 0;
			return;
		}
		this.#changed.set(threadId, ofThread.set(turnId, this.#marks.next()));
	}
}
