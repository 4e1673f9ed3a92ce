import { resolve } from "node:path";
import type { Diff, ToolCall, ToolCallId, ToolKind } from "@xworkmate/contracts";
import { areAbsent } from "@xworkmate/platform/files";
import type { ToolCallChange } from "../../agent-update.ts";
import { contentOf, holdsOne } from "./edited-file.ts";

/** A denied change to a file. */
interface DeniedChange {
	readonly place: string;
	readonly diff: Diff;
	/** False if the file contained the change's text at the time. */
	readonly isMissing: Promise<boolean>;
}

/** A file whose edit was denied, with what it held then. */
interface WatchedFile {
	/** As the agent gave it. */
	readonly path: string;
	readonly place: string;
	/** A digest, or "absent"; undefined if that can't be known. */
	readonly held: Promise<string | undefined>;
}

/** A call that was allowed or has begun, and has not ended. */
interface OpenCall {
	/** The only files that it may change, if it is known which these are. */
	readonly places: ReadonlySet<string> | "any";
	readonly isAllowed: boolean;
}

/** How many calls are remembered, of those with a proposed change and of those that were denied. */
const REMEMBERED = 100;
/** How many calls that have not ended are remembered. Once there were more, no file is watched. */
const OPEN_CALLS = 500;
/** A shorter text may get into a file through another change. */
const TELLING_CHARACTERS = 3;
/** Calls of these kinds change no file. */
const readKinds: ReadonlySet<ToolKind> = new Set(["read", "search", "think", "fetch"]);

/**
 * Finds denied edits whose text is nevertheless in the file, although the agent does not report that it made them. A text counts only if it
 * was not in the file when the edit was denied, and only as long as no other call that could have written it is allowed. A file that has
 * changed in any way since counts too, if no call that could have changed it had yet to end at the time, and as long as no other one is even
 * reported.
 */
export class DeniedEdits {
	readonly #proposed = new Map<ToolCallId, readonly Diff[]>();
	readonly #denied = new Map<ToolCallId, readonly DeniedChange[]>();
	readonly #watched = new Map<ToolCallId, readonly WatchedFile[]>();
	readonly #open = new Map<ToolCallId, OpenCall>();
	#hasForgotten = false;

	/** Returns the changes that a call proposes after a report or a question about it, which may leave out what was reported before. */
	proposed({ toolCallId, diff }: Pick<ToolCallChange, "toolCallId" | "diff">): readonly Diff[] {
		if (diff !== undefined) remember(this.#proposed, toolCallId, diff);
		return this.#proposed.get(toolCallId) ?? [];
	}

	/** Call this before the agent learns that the call was denied. `paths`: the files that it was to edit. */
	async denied(toolCallId: ToolCallId, diffs: readonly Diff[], paths: readonly string[], workingDirectory: string): Promise<void> {
		// Some agents report a call as running while they ask about it. It goes on only if an earlier question about it was allowed.
		if (this.#open.get(toolCallId)?.isAllowed === false) this.#open.delete(toolCallId);
		const changes = diffs
			.filter(({ newText }) => newText.trim().length >= TELLING_CHARACTERS)
			.map((diff) => {
				const place = resolve(workingDirectory, diff.path);
				return { place, diff, isMissing: isMissing(place, diff) };
			});
		const watched = paths
			.map((path) => ({ path, place: resolve(workingDirectory, path) }))
			.filter(({ place }) => !this.#mayChange(place))
			.map(({ path, place }) => ({ path, place, held: heldBy(place) }));
		// Before any wait, because another call may be allowed or begin meanwhile.
		if (changes.length > 0) remember(this.#denied, toolCallId, changes);
		if (watched.length > 0) remember(this.#watched, toolCallId, watched);
		await Promise.all([...changes.map((change) => change.isMissing), ...watched.map(({ held }) => held)]);
	}

	/**
	 * Call this for every report. A call that has begun may have changed the files that it names or, if it is no edit or names none, any
	 * file, and may go on doing so until it has ended.
	 */
	reported(
		{ toolCallId, toolKind, state }: Pick<ToolCall, "toolCallId" | "toolKind" | "state">,
		paths: ReadonlySet<string>,
		workingDirectory: string,
	): void {
		if (state === "completed" || state === "failed") this.#open.delete(toolCallId);
		if (readKinds.has(toolKind) || state === "pending" || state === "denied") return;
		const places = placesOf(toolKind, paths, workingDirectory);
		this.#unwatch(places);
		if (state === "running") this.#begin(toolCallId, { places, isAllowed: false });
	}

	/** Call this before the agent learns that a call was allowed. Without a known change, the call may write any file. */
	allowed(toolCallId: ToolCallId, toolKind: ToolKind, diffs: readonly Diff[], workingDirectory: string): void {
		if (readKinds.has(toolKind)) return;
		const places = placesOf(toolKind, new Set(diffs.map(({ path }) => path)), workingDirectory);
		this.#unwatch(places);
		this.#begin(toolCallId, { places, isAllowed: true });
		if (places === "any") this.#denied.clear();
		else dropFrom(this.#denied, places);
	}

	/**
	 * The denied calls whose changes are in the files now, or whose files have changed, with the paths of those files as the agent gave them.
	 * Each is returned once.
	 */
	async made(): Promise<readonly { readonly toolCallId: ToolCallId; readonly paths: readonly string[] }[]> {
		const made: { readonly toolCallId: ToolCallId; readonly paths: readonly string[] }[] = [];
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
			if (paths.length > 0) made.push({ toolCallId, paths });
		}
		this.#watched.clear();
		return made;
	}

	#begin(toolCallId: ToolCallId, { places, isAllowed }: OpenCall): void {
		const before = this.#open.get(toolCallId);
		const all = places === "any" || before?.places === "any" ? "any" : new Set([...(before?.places ?? []), ...places]);
		this.#open.set(toolCallId, { places: all, isAllowed: isAllowed || before?.isAllowed === true });
		if (this.#open.size > OPEN_CALLS) this.#hasForgotten = true;
		if (this.#hasForgotten) this.#open.clear();
	}

	/** True if a call that has not ended may change the file. */
	#mayChange(place: string): boolean {
		return this.#hasForgotten || [...this.#open.values()].some(({ places }) => places === "any" || places.has(place));
	}

	#unwatch(places: OpenCall["places"]): void {
		if (places === "any") this.#watched.clear();
		else dropFrom(this.#watched, places);
	}
}

/** The files that a call may change. */
function placesOf(toolKind: ToolKind, paths: ReadonlySet<string>, workingDirectory: string): OpenCall["places"] {
	if (toolKind !== "edit" || paths.size === 0 || paths.has("")) return "any";
	return new Set([...paths].map((path) => resolve(workingDirectory, path)));
}

function dropFrom<V extends { readonly place: string }>(entries: Map<ToolCallId, readonly V[]>, places: ReadonlySet<string>): void {
	for (const [toolCallId, files] of entries) {
		const others = files.filter(({ place }) => !places.has(place));
		if (others.length === 0) entries.delete(toolCallId);
		else entries.set(toolCallId, others);
	}
}

/** True if a file certainly doesn't contain a change's text. */
async function isMissing(place: string, diff: Diff): Promise<boolean> {
	return (await areAbsent([place])) || (await holdsOne(place, [diff])) === false;
}

/** What a file holds, as a digest, or that it is missing. Undefined: that can't be known. */
async function heldBy(place: string): Promise<string | undefined> {
	return (await areAbsent([place])) ? "absent" : await contentOf(place);
}

/** Keeps the newest entries. */
function remember<V>(entries: Map<ToolCallId, V>, toolCallId: ToolCallId, value: V): void {
	entries.delete(toolCallId);
	entries.set(toolCallId, value);
	const [oldest] = entries.keys();
	if (entries.size > REMEMBERED && oldest !== undefined) entries.delete(oldest);
}
