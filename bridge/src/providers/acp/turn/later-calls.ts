import type { ToolCall, ToolCallId, ToolKind } from "@xworkmate/contracts";
import { type Places, readKinds } from "./open-calls.ts";
import { isInside } from "./real-place.ts";
import { remember } from "./remember.ts";

/** Kinds of calls that change nothing if they fail. A command that failed may have changed files before. */
const ALL_OR_NOTHING: ReadonlySet<ToolKind> = new Set<ToolKind>(["edit", "delete", "move"]);

/** The report that first said that a call was done. */
interface Done {
	readonly number: number;
	/** The other calls that had begun and not ended then. */
	readonly running: ReadonlySet<ToolCallId>;
}

/**
 * The order in which reports of calls were received. An agent may send many at once: the files of the first call are then examined after
 * the later calls were made, and show what those did.
 */
export class LaterCalls {
	#count = 0;
	readonly #done = new Map<ToolCallId, Done>();
	/** What a call's newest report says, with its number and the files that the call may have changed. */
	readonly #latest = new Map<ToolCallId, Pick<ToolCall, "toolKind" | "state"> & { readonly number: number; readonly places: Places }>();

	/** Call this when a report is received. `places`: the files that the call names, if all are known. */
	received(
		{ toolCallId, toolKind, state }: Pick<ToolCall, "toolCallId" | "toolKind" | "state">,
		places: readonly string[] | undefined,
	): void {
		this.#count++;
		if (state === "completed" && !this.#done.has(toolCallId)) {
			const running = [...this.#latest].flatMap(([other, latest]) => (latest.state === "running" ? [other] : []));
			remember(this.#done, toolCallId, { number: this.#count, running: new Set(running) });
		}
		const changesFiles = ALL_OR_NOTHING.has(toolKind);
		if (state === "pending" || state === "denied" || readKinds.has(toolKind) || (state === "failed" && changesFiles)) {
			this.#latest.delete(toolCallId);
			return;
		}
		const mayChange = changesFiles && places !== undefined ? new Set(places) : "any";
		remember(this.#latest, toolCallId, { number: this.#count, toolKind, state, places: mayChange });
	}

	/**
	 * True if a call that was running when this one was done, or was reported afterwards, may have changed, moved or deleted one of the
	 * files. `isGone`: what is to be explained is that the files are missing, which an edit without a named file does not explain. Otherwise
	 * it is that a file is there, or what it contains, which a deletion does not explain.
	 */
	mayHaveChanged(places: readonly string[], toolCallId: ToolCallId, isGone: boolean): boolean {
		const done = this.#done.get(toolCallId);
		const after = done?.number ?? this.#count;
		return [...this.#latest].some(([other, { number, toolKind, places: changed }]) => {
			if (other === toolCallId || (!isGone && toolKind === "delete")) return false;
			if (number <= after && done?.running.has(other) !== true) return false;
			if (changed === "any") return !(isGone && toolKind === "edit");
			return [...changed].some((path) => places.some((place) => isInside(place, path)));
		});
	}
}
