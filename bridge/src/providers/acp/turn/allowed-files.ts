import { doneToFiles, type ToolCallId, type ToolKind } from "@xworkmate/contracts";
import type { ProviderUpdate } from "../../../ports/runs/run-event.ts";
import type { ToolQuestion } from "../../tool-question.ts";
import { type CallFacts, otherPlace, unshownPaths } from "../protocol/call-facts.ts";
import { nameOf } from "./edited-file.ts";
import { isInside, placeOf, realPlace } from "./real-place.ts";

/** The files that a request named when it was allowed. */
interface AllowedPaths {
	readonly paths: readonly string[];
	/** The title and the input as the user saw them. They may name further files. */
	readonly shown: readonly string[];
}

/** How many allowed calls are remembered. */
const REMEMBERED = 500;
/** How many allowed and how many reported files a finding names. */
const NAMED = 3;

/**
 * Kinds of calls whose reported files are compared with the allowed ones. Moves are left out, because a request may name only the old path,
 * and so are commands, because they may touch any file.
 */
const JUDGED: ReadonlySet<ToolKind> = new Set<ToolKind>(["edit", "delete", "other"]);

/** Finds calls that were allowed for some files and that their agent reports as done to others. */
export class AllowedFiles {
	readonly #allowed = new Map<ToolCallId, AllowedPaths>();

	/** Notes which files a call was allowed for. If not all files of a call are known, it is allowed for any file. */
	allowed({ toolCallId, title, input }: ToolQuestion, { paths, isUnclear }: CallFacts): void {
		this.#allowed.delete(toolCallId);
		if (isUnclear || paths.size === 0 || paths.has("") || input?.truncated === true) return;
		this.#allowed.set(toolCallId, { paths: [...paths], shown: [title, ...(input === undefined ? [] : [input.text])] });
		const [oldest] = this.#allowed.keys();
		if (this.#allowed.size > REMEMBERED && oldest !== undefined) this.#allowed.delete(oldest);
	}

	/** If a completed call was done to other files than the allowed ones, adds that to its report. Never rejects. */
	async look(update: ProviderUpdate, facts: CallFacts, workingDirectory: string): Promise<ProviderUpdate> {
		if (update.kind !== "tool_call" || update.state !== "completed" || update.unpermitted !== undefined) return update;
		const { toolCallId, toolKind } = update;
		const allowed = this.#allowed.get(toolCallId);
		if (allowed === undefined || !JUDGED.has(toolKind) || facts.isUnclear || otherPlace(facts, workingDirectory) !== undefined)
			return update;
		const known = await Promise.all(allowed.paths.map((path) => realPlace(placeOf(workingDirectory, path))));
		const directory = await realPlace(workingDirectory);
		// An allowed folder allows everything in it. But if a folder that contains the working directory was named beside other paths, the
		// folder only says where those paths are, so it allows nothing else.
		const folders = known.filter((place) => known.length === 1 || !isInside(directory, place));
		const isAllowed = (place: string) => known.includes(place) || folders.some((folder) => isInside(place, folder));
		const others: string[] = [];
		for (const path of facts.paths) {
			const isShown = path === "" || allowed.shown.some((text) => !unshownPaths(facts, text, workingDirectory).includes(path));
			const place = placeOf(workingDirectory, path);
			if (!isShown && !isAllowed(await realPlace(place))) others.push(place);
		}
		if (others.length === 0) return update;
		const did = (paths: readonly string[]) => {
			const names = new Set(paths.map((path) => nameOf(placeOf(workingDirectory, path), workingDirectory)));
			return doneToFiles(toolKind, [...names].slice(0, NAMED).join(", "));
		};
		return { ...update, unpermitted: "another", swapped: { allowed: did(allowed.paths), reported: did(others) } };
	}
}
