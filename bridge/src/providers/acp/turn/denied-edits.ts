import { resolve } from "node:path";
import type { Diff, ToolCallId, ToolKind } from "@xworkmate/contracts";
import { areAbsent } from "@xworkmate/platform/files";
import type { ToolCallChange } from "../../agent-update.ts";
import { holdsOne } from "./edited-file.ts";

/** A denied change to a file that did not contain the change's text at the time. */
interface DeniedChange {
	readonly place: string;
	readonly diff: Diff;
}

/** How many calls are remembered, of those with a proposed change and of those that were denied. */
const REMEMBERED = 100;
/** A shorter text may get into a file through another change. */
const TELLING_CHARACTERS = 3;
/** Allowed calls of these kinds change no file. */
const readKinds: ReadonlySet<ToolKind> = new Set(["read", "search", "think"]);

/**
 * Finds denied edits whose text is nevertheless in the file, although the agent does not report that it made them. A text counts only if it
 * was not in the file when the edit was denied, and only as long as no other call that could have written it is allowed.
 */
export class DeniedEdits {
	readonly #proposed = new Map<ToolCallId, readonly Diff[]>();
	readonly #denied = new Map<ToolCallId, readonly DeniedChange[]>();

	/** Returns the changes that a call proposes after a report or a question about it, which may leave out what was reported before. */
	proposed({ toolCallId, diff }: Pick<ToolCallChange, "toolCallId" | "diff">): readonly Diff[] {
		if (diff !== undefined) remember(this.#proposed, toolCallId, diff);
		return this.#proposed.get(toolCallId) ?? [];
	}

	/** Call this before the agent learns that the call was denied. */
	async denied(toolCallId: ToolCallId, diffs: readonly Diff[], workingDirectory: string): Promise<void> {
		const changes: DeniedChange[] = [];
		for (const diff of diffs) {
			const place = resolve(workingDirectory, diff.path);
			const isTelling = diff.newText.trim().length >= TELLING_CHARACTERS;
			if (isTelling && ((await areAbsent([place])) || (await holdsOne(place, [diff])) === false)) changes.push({ place, diff });
		}
		if (changes.length > 0) remember(this.#denied, toolCallId, changes);
	}

	/** Call this before the agent learns that a call was allowed. Without a known change, the call may write any file. */
	allowed(toolKind: ToolKind, diffs: readonly Diff[], workingDirectory: string): void {
		if (readKinds.has(toolKind)) return;
		const places = new Set(diffs.map(({ path }) => resolve(workingDirectory, path)));
		if (places.size === 0 || toolKind !== "edit") this.#denied.clear();
		for (const [toolCallId, changes] of this.#denied) {
			const others = changes.filter(({ place }) => !places.has(place));
			if (others.length === 0) this.#denied.delete(toolCallId);
			else this.#denied.set(toolCallId, others);
		}
	}

	/** The denied calls whose changes are in the files now, with the paths of those files as the agent gave them. Each is returned once. */
	async made(): Promise<readonly { readonly toolCallId: ToolCallId; readonly paths: readonly string[] }[]> {
		const made: { readonly toolCallId: ToolCallId; readonly paths: readonly string[] }[] = [];
		for (const [toolCallId, changes] of this.#denied) {
			const paths = new Set<string>();
			for (const { place, diff } of changes) if ((await holdsOne(place, [diff])) === true) paths.add(diff.path);
			if (paths.size === 0) continue;
			made.push({ toolCallId, paths: [...paths] });
			this.#denied.delete(toolCallId);
		}
		return made;
	}
}

/** Keeps the newest entries. */
function remember<V>(entries: Map<ToolCallId, V>, toolCallId: ToolCallId, value: V): void {
	entries.delete(toolCallId);
	entries.set(toolCallId, value);
	const [oldest] = entries.keys();
	if (entries.size > REMEMBERED && oldest !== undefined) entries.delete(oldest);
}
