import { resolve } from "node:path";
import type { Diff, ToolCall, ToolCallId, ToolKind } from "@xworkmate/contracts";
import { areAbsent } from "@xworkmate/platform/files";
import type { ToolCallChange } from "../../agent-update.ts";
import { contentOf, holdsOne } from "./edited-file.ts";

/** A denied change to a file that did not contain the change's text at the time. */
interface DeniedChange {
	readonly place: string;
	readonly diff: Diff;
}

/** A file whose edit was denied, with what it held then. */
interface WatchedFile {
	/** As the agent gave it. */
	readonly path: string;
	readonly place: string;
	/** A digest, or "absent". */
	readonly held: string;
}

/** How many calls are remembered, of those with a proposed change and of those that were denied. */
const REMEMBERED = 100;
/** A shorter text may get into a file through another change. */
const TELLING_CHARACTERS = 3;
/** Calls of these kinds change no file. */
const readKinds: ReadonlySet<ToolKind> = new Set(["read", "search", "think", "fetch"]);

/**
 * Finds denied edits whose text is nevertheless in the file, although the agent does not report that it made them. A text counts only if it
 * was not in the file when the edit was denied, and only as long as no other call that could have written it is allowed. A file that has
 * changed in any way since counts too, as long as no other call that could have changed it is even reported.
 */
export class DeniedEdits {
	readonly #proposed = new Map<ToolCallId, readonly Diff[]>();
	readonly #denied = new Map<ToolCallId, readonly DeniedChange[]>();
	readonly #watched = new Map<ToolCallId, readonly WatchedFile[]>();

	/** Returns the changes that a call proposes after a report or a question about it, which may leave out what was reported before. */
	proposed({ toolCallId, diff }: Pick<ToolCallChange, "toolCallId" | "diff">): readonly Diff[] {
		if (diff !== undefined) remember(this.#proposed, toolCallId, diff);
		return this.#proposed.get(toolCallId) ?? [];
	}

	/** Call this before the agent learns that the call was denied. `paths`: the files that it was to edit. */
	async denied(toolCallId: ToolCallId, diffs: readonly Diff[], paths: readonly string[], workingDirectory: string): Promise<void> {
		const changes: DeniedChange[] = [];
		for (const diff of diffs) {
			const place = resolve(workingDirectory, diff.path);
			const isTelling = diff.newText.trim().length >= TELLING_CHARACTERS;
			if (isTelling && ((await areAbsent([place])) || (await holdsOne(place, [diff])) === false)) changes.push({ place, diff });
		}
		if (changes.length > 0) remember(this.#denied, toolCallId, changes);
		const files = paths.map(async (path) => {
			const place = resolve(workingDirectory, path);
			const held = await heldBy(place);
			return held === undefined ? [] : [{ path, place, held }];
		});
		const watched = (await Promise.all(files)).flat();
		if (watched.length > 0) remember(this.#watched, toolCallId, watched);
	}

	/** Call this for every report. A call that has begun may have changed the files that it names or, if it is no edit, any file. */
	reported({ toolKind, state }: Pick<ToolCall, "toolKind" | "state">, paths: ReadonlySet<string>, workingDirectory: string): void {
		if (readKinds.has(toolKind) || state === "pending" || state === "denied") return;
		const places = new Set([...paths].map((path) => resolve(workingDirectory, path)));
		this.#unwatch(toolKind, places);
	}

	/** Call this before the agent learns that a call was allowed. Without a known change, the call may write any file. */
	allowed(toolKind: ToolKind, diffs: readonly Diff[], workingDirectory: string): void {
		if (readKinds.has(toolKind)) return;
		const places = new Set(diffs.map(({ path }) => resolve(workingDirectory, path)));
		this.#unwatch(toolKind, places);
		if (places.size === 0 || toolKind !== "edit") this.#denied.clear();
		for (const [toolCallId, changes] of this.#denied) {
			const others = changes.filter(({ place }) => !places.has(place));
			if (others.length === 0) this.#denied.delete(toolCallId);
			else this.#denied.set(toolCallId, others);
		}
	}

	#unwatch(toolKind: ToolKind, places: ReadonlySet<string>): void {
		if (toolKind !== "edit" || places.size === 0) this.#watched.clear();
		for (const [toolCallId, files] of this.#watched)
			this.#watched.set(
				toolCallId,
				files.filter(({ place }) => !places.has(place)),
			);
	}

	/**
	 * The denied calls whose changes are in the files now, or whose files have changed, with the paths of those files as the agent gave them.
	 * Each is returned once.
	 */
	async made(): Promise<readonly { readonly toolCallId: ToolCallId; readonly paths: readonly string[] }[]> {
		const made: { readonly toolCallId: ToolCallId; readonly paths: readonly string[] }[] = [];
		for (const [toolCallId, changes] of this.#denied) {
			const paths = new Set<string>();
			for (const { place, diff } of changes) if ((await holdsOne(place, [diff])) === true) paths.add(diff.path);
			if (paths.size === 0) continue;
			made.push({ toolCallId, paths: [...paths] });
			this.#denied.delete(toolCallId);
			this.#watched.delete(toolCallId);
		}
		for (const [toolCallId, files] of this.#watched) {
			const paths: string[] = [];
			for (const { path, place, held } of files) {
				const now = await heldBy(place);
				if (now !== undefined && now !== held) paths.push(path);
			}
			if (paths.length > 0) made.push({ toolCallId, paths });
		}
		this.#watched.clear();
		return made;
	}
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
