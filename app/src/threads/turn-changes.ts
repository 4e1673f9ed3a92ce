import type { ThreadId, TurnId } from "@xworkmate/contracts";
import type { AppEvents } from "./app-events.ts";
import { ChangeMarks } from "./change-marks.ts";
import type { Turn } from "./index.ts";

/** Beyond this, pages read their thread as a whole once more. */
const KEPT_TURNS = 10_000;

/** Which turns were written since a page read their thread, so that it is sent those alone. In memory: a new process sends all. */
export class TurnChanges {
	readonly #marks = new ChangeMarks();
	readonly #changed = new Map<ThreadId, Map<TurnId, number>>();
	#kept = 0;

	constructor(events: AppEvents) {
		events.on("threadWritten", ({ threadId, before, after }) => {
			const known = new Set(before?.turns);
			const turns = after?.turns ?? [];
			for (const turn of turns) if (!known.has(turn)) this.#see(threadId, turn);
			// A new message takes the place of the one whose attached files were kept.
			const earlier = turns.length > known.size ? turns.at(-2) : undefined;
			if (earlier !== undefined) this.#see(threadId, earlier);
			if (after === undefined) this.#changed.delete(threadId);
		});
	}

	/** For a page that reads a thread now. */
	get mark(): string {
		return this.#marks.now;
	}

	/** Undefined when it is not known. */
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
