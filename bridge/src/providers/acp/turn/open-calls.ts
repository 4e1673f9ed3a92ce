import type { ToolCall, ToolCallId, ToolKind } from "@xworkmate/contracts";
import { placeOf } from "./real-place.ts";

/** The files that a call may change, if they are known. */
export type Places = ReadonlySet<string> | "any";

/** A call that was allowed or has begun, and has not ended. */
interface OpenCall {
	readonly places: Places;
	readonly isAllowed: boolean;
	readonly isEdit: boolean;
	/** When it was allowed or begun, in milliseconds since the epoch. */
	readonly since: number;
}

/** How many open calls are remembered. Once there have been more, every file counts as changeable for the rest of the turn. */
const REMEMBERED = 500;
/**
 * How late an agent's report of a call may be read on a busy machine, in milliseconds: the call's command may have been running for so long.
 */
const READ_LATE_MS = 250;
/** Kinds of calls that don't change files. */
export const readKinds: ReadonlySet<ToolKind> = new Set(["read", "search", "think", "fetch"]);

/** Tracks which files the calls of a turn may change: each call counts from when it is allowed or begins until it ends. */
export class OpenCalls {
	readonly #open = new Map<ToolCallId, OpenCall>();
	/**
	 * The pending commands, each with its start, or undefined once the user was asked. An agent that doesn't ask may already be running a
	 * pending command.
	 */
	readonly #pending = new Map<ToolCallId, number | undefined>();
	#hasForgotten = false;
	/** The earliest start of all forgotten calls that may have started a process. */
	#forgottenSince: number | undefined;
	/** When the last call that may have started a process ended, or when the turn began. What was started before is not the next call's. */
	#lastEnd = Date.now();
	#others = 0;

	/**
	 * Call this for every report. Returns the files that the call may have changed: those that it names, or any file if it is not an edit or
	 * names none. Undefined if it can't have changed a file.
	 */
	reported(
		{ toolCallId, toolKind, state }: Pick<ToolCall, "toolCallId" | "toolKind" | "state">,
		paths: ReadonlySet<string>,
		workingDirectory: string,
	): Places | undefined {
		const hasEnded = state === "completed" || state === "failed";
		if (hasEnded) this.#end(toolCallId);
		if (state === "pending") {
			if (toolKind === "execute" && !this.#pending.has(toolCallId)) this.#wait(toolCallId, this.#reportedStart);
		} else if (state !== "running" || readKinds.has(toolKind)) this.#pending.delete(toolCallId);
		if (readKinds.has(toolKind) || state === "pending" || state === "denied") return undefined;
		const places = placesOf(toolKind, paths, workingDirectory);
		if (toolKind !== "edit" || (hasEnded && places === "any")) this.#others++;
		if (!hasEnded) this.#begin(toolCallId, { places, isAllowed: false, isEdit: toolKind === "edit" });
		return places;
	}

	/** Call this when the user is asked about a call, which does not run until it is allowed. */
	asked(toolCallId: ToolCallId): void {
		this.#wait(toolCallId, undefined);
	}

	/**
	 * Call this before the agent learns that a call was allowed. Returns the files that the call may change: any file, unless its change is
	 * known; undefined if calls of its kind don't change files.
	 */
	allowed(toolCallId: ToolCallId, toolKind: ToolKind, changed: ReadonlySet<string>, workingDirectory: string): Places | undefined {
		if (readKinds.has(toolKind)) return undefined;
		const places = placesOf(toolKind, changed, workingDirectory);
		if (toolKind !== "edit") this.#others++;
		this.#begin(toolCallId, { places, isAllowed: true, isEdit: toolKind === "edit" });
		return places;
	}

	/**
	 * Notes that a call was denied. Some agents report a call as running while they ask about it; such a call remains open only if an earlier
	 * question about it was allowed.
	 */
	denied(toolCallId: ToolCallId): void {
		if (this.#open.get(toolCallId)?.isAllowed === false) this.#open.delete(toolCallId);
	}

	/** True if a call that has not ended may change the file. */
	mayChange(place: string): boolean {
		return this.#hasForgotten || [...this.#open.values()].some(({ places }) => places === "any" || places.has(place));
	}

	/**
	 * A number that changes whenever a call other than an edit of named files may have changed a file; undefined while a call that is not an
	 * edit may change one.
	 */
	get mark(): number | undefined {
		return this.#hasForgotten || [...this.#open.values()].some(({ isEdit }) => !isEdit) ? undefined : this.#others;
	}

	/** Since when a call that may have started a process has been open; undefined if none is. In milliseconds since the epoch. */
	get runningSince(): number | undefined {
		const open = [...this.#open.values()].filter(({ isEdit }) => !isEdit).map(({ since }) => since);
		return earliest([this.#forgottenSince, ...this.#pending.values(), ...open]);
	}

	#wait(toolCallId: ToolCallId, since: number | undefined): void {
		if (this.#pending.size < REMEMBERED || this.#pending.has(toolCallId)) this.#pending.set(toolCallId, since);
	}

	/** When a call that is now reported for the first time may have started its first process. */
	get #reportedStart(): number {
		return Math.max(Date.now() - READ_LATE_MS, this.#lastEnd);
	}

	#end(toolCallId: ToolCallId): void {
		if (this.#pending.has(toolCallId) || this.#open.get(toolCallId)?.isEdit === false) this.#lastEnd = Date.now();
		this.#open.delete(toolCallId);
	}

	#begin(toolCallId: ToolCallId, { places, isAllowed, isEdit }: Omit<OpenCall, "since">): void {
		const before = this.#open.get(toolCallId);
		const all = places === "any" || before?.places === "any" ? "any" : new Set([...(before?.places ?? []), ...places]);
		const since = before?.since ?? this.#pending.get(toolCallId) ?? (isAllowed ? Date.now() : this.#reportedStart);
		this.#pending.delete(toolCallId);
		const isStillEdit = isEdit && before?.isEdit !== false;
		this.#open.set(toolCallId, { places: all, isAllowed: isAllowed || before?.isAllowed === true, isEdit: isStillEdit, since });
		if (this.#open.size > REMEMBERED) this.#hasForgotten = true;
		if (!this.#hasForgotten) return;
		this.#forgottenSince = this.runningSince;
		this.#open.clear();
	}
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
	const known = times.filter((time) => time !== undefined);
	return known.length === 0 ? undefined : Math.min(...known);
}

function placesOf(toolKind: ToolKind, paths: ReadonlySet<string>, workingDirectory: string): Places {
	if (toolKind !== "edit" || paths.size === 0 || paths.has("")) return "any";
	return new Set([...paths].map((path) => placeOf(workingDirectory, path)));
}
