import type { Diff, ToolCall, ToolCallId, ToolKind } from "@xworkmate/contracts";
import { areAbsent } from "@xworkmate/platform/files";
import type { ToolCallChange } from "../../agent-update.ts";
import type { MadeAnyway } from "../../update-translator.ts";
import { contentOf, holdsOne } from "./edited-file.ts";
import type { OpenCalls, Places } from "./open-calls.ts";
import { placeOf } from "./real-place.ts";
import { remember } from "./remember.ts";

/** A denied change to a file. */
interface DeniedChange {
	readonly place: string;
	readonly diff: Diff;
	/** True if the file certainly did not contain the change's text when the edit was denied. */
	readonly isMissing: Promise<boolean>;
}

/** A file whose edit was denied, with what the file contained at that time. */
interface WatchedFile {
	/** The path that the agent gave. */
	readonly path: string;
	readonly place: string;
	/** A digest of the file, or "absent"; undefined if that can't be known. */
	readonly held: Promise<string | undefined>;
}

/** Shorter text is not looked for, because another change may also write it. */
const TELLING_CHARACTERS = 3;

/**
 * Finds denied edits whose text is in the file anyway, although the agent does not report having made them. A text counts only if it was
 * not in the file when the edit was denied, and only until another call that could have written it is allowed. Any other change made to the
 * file after the denial is also treated as such an edit, provided that no call that could change the file was open when it was made. This
 * ends when such a call is allowed, or is reported to have begun.
 */
export class DeniedEdits {
	readonly #proposed = new Map<ToolCallId, readonly Diff[]>();
	readonly #denied = new Map<ToolCallId, readonly DeniedChange[]>();
	readonly #watched = new Map<ToolCallId, readonly WatchedFile[]>();
	readonly #calls: OpenCalls;

	constructor(calls: OpenCalls) {
		this.#calls = calls;
	}

	/** Returns the changes that a call proposes, including those from earlier reports, which the latest report or question may leave out. */
	proposed({ toolCallId, diff }: Pick<ToolCallChange, "toolCallId" | "diff">): readonly Diff[] {
		if (diff !== undefined) remember(this.#proposed, toolCallId, diff);
		return this.#proposed.get(toolCallId) ?? [];
	}

	/** Call this before the agent learns that the call was denied. `paths`: the files that the call was to edit. */
	async denied(toolCallId: ToolCallId, diffs: readonly Diff[], paths: readonly string[], workingDirectory: string): Promise<void> {
		this.#calls.denied(toolCallId);
		const changes = diffs
			.filter(({ newText }) => newText.trim().length >= TELLING_CHARACTERS)
			.map((diff) => {
				const place = placeOf(workingDirectory, diff.path);
				return { place, diff, isMissing: isMissing(place, diff) };
			});
		const watched = paths
			.map((path) => ({ path, place: placeOf(workingDirectory, path) }))
			.filter(({ place }) => !this.#calls.mayChange(place))
			.map(({ path, place }) => ({ path, place, held: heldBy(place) }));
		// Remembered before any wait, because another call may be allowed or begin during the wait.
		if (changes.length > 0) remember(this.#denied, toolCallId, changes);
		if (watched.length > 0) remember(this.#watched, toolCallId, watched);
		await Promise.all([...changes.map((change) => change.isMissing), ...watched.map(({ held }) => held)]);
	}

	/** Call this for every report. A call that has begun may have changed the files. */
	reported(call: Pick<ToolCall, "toolCallId" | "toolKind" | "state">, paths: ReadonlySet<string>, workingDirectory: string): void {
		const places = this.#calls.reported(call, paths, workingDirectory);
		if (places !== undefined) dropFrom(this.#watched, places);
	}

	/** Call this before the agent learns that a call was allowed, because that call may write the files. */
	allowed(toolCallId: ToolCallId, toolKind: ToolKind, diffs: readonly Diff[], workingDirectory: string): void {
		const places = this.#calls.allowed(toolCallId, toolKind, new Set(diffs.map(({ path }) => path)), workingDirectory);
		if (places === undefined) return;
		dropFrom(this.#watched, places);
		dropFrom(this.#denied, places);
	}

	/** The denied calls whose changes are in the files now, or whose files have changed. Each is returned once. */
	async made(): Promise<readonly MadeAnyway[]> {
		const made: MadeAnyway[] = [];
		for (const [toolCallId, changes] of this.#denied) {
			const paths = new Set<string>();
			for (const { place, diff, isMissing } of changes)
				if ((await isMissing) && (await holdsOne(place, [diff])) === true) paths.add(diff.path);
			if (paths.size === 0) continue;
			made.push({ toolCallId, paths: [...paths] });
			this.#denied.delete(toolCallId);
			this.#watched.delete(toolCallId);
		}
		for (const [toolCallId, files] of this.#watched) {
			const paths: string[] = [];
			for (const { path, place, held } of files) {
				const [before, now] = [await held, await heldBy(place)];
				if (before !== undefined && now !== undefined && now !== before) paths.push(path);
			}
			if (paths.length > 0) made.push({ toolCallId, paths, onlyChanged: true });
		}
		this.#watched.clear();
		return made;
	}
}

function dropFrom<V extends { readonly place: string }>(entries: Map<ToolCallId, readonly V[]>, places: Places): void {
	for (const [toolCallId, files] of entries) {
		const others = places === "any" ? [] : files.filter(({ place }) => !places.has(place));
		if (others.length === 0) entries.delete(toolCallId);
		else entries.set(toolCallId, others);
	}
}

/** True if a file certainly doesn't contain a change's text. */
async function isMissing(place: string, diff: Diff): Promise<boolean> {
	return (await areAbsent([place])) || (await holdsOne(place, [diff])) === false;
}

/** A digest of the file, or a word that says that it is missing; undefined if that can't be known. */
async function heldBy(place: string): Promise<string | undefined> {
	return (await areAbsent([place])) ? "absent" : await contentOf(place);
}
