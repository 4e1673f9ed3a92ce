import { isAbsolute, relative, resolve, sep } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Diff, ToolCall, ToolCallId } from "@xworkmate/contracts";
import { areAbsent, isPresent } from "@xworkmate/platform/files";
import type { ProviderUpdate } from "../../../ports/runs/run-event.ts";
import { type CallFacts, otherPlace } from "../protocol/call-facts.ts";
import { changeOf, holdsOne, isNew, isUnchanged, mayBeDeleted, type Since } from "./edited-file.ts";

type Report = Extract<ProviderUpdate, { kind: "tool_call" }>;
type Finding = Pick<ToolCall, "notFound" | "untouched" | "notHeld" | "stillThere">;
/** What was found, and the files that show it. */
type Seen = readonly [Finding, readonly string[]];

/** A reported edit or deletion that its files did not show when they were last examined. */
interface Doubted {
	readonly report: Report;
	readonly places: readonly string[];
	readonly finding: Finding & Pick<ToolCall, "examined">;
}

/** How many calls with a reported change are remembered, and how many doubted ones are examined again. */
const REMEMBERED = 500;

/** Examines the files of edits and deletions that an agent reports as done, because the report may be wrong. */
export class EditsFound {
	/** When the turn began: a file that has not changed since was not edited in it. */
	readonly #began = { at: Date.now(), tick: performance.now() };
	#beganThere: Since["there"];
	readonly #changes = new Map<ToolCallId, readonly Diff[]>();
	readonly #doubted = new Map<ToolCallId, Doubted>();

	/** @param folder a folder that was made for the turn; its times show the clock of its file system */
	async begin(folder: string): Promise<void> {
		this.#beganThere = await changeOf(folder);
	}

	/** Adds what was found, and where, to an update. Never rejects: if a file can't be examined, the agent's report of it is believed. */
	async look(update: ProviderUpdate, facts: CallFacts, workingDirectory: string): Promise<ProviderUpdate> {
		if (update.kind !== "tool_call") return update;
		if (update.diff !== undefined) remember(this.#changes, update.toolCallId, update.diff);
		if (update.state !== "completed" || (update.toolKind !== "edit" && update.toolKind !== "delete")) return update;
		const places = placesOf(facts, workingDirectory);
		return places === undefined ? update : { ...update, ...(await this.#examine(update, places, workingDirectory)) };
	}

	/**
	 * Examines the files of doubted calls again, because an agent may report a call before it makes it. Returns the findings that have
	 * changed.
	 */
	async lookAgain(workingDirectory: string): Promise<readonly ProviderUpdate[]> {
		const updates: ProviderUpdate[] = [];
		for (const { report, places, finding } of [...this.#doubted.values()]) {
			const now = await this.#examine(report, places, workingDirectory);
			const { toolCallId, title, toolKind, state } = report;
			if (!isDeepStrictEqual(now, finding)) updates.push({ kind: "tool_call", toolCallId, title, toolKind, state, ...now });
		}
		return updates;
	}

	/** What the files of a reported call show now. An earlier doubt that no longer holds is included as false. */
	async #examine(report: Report, places: readonly string[], workingDirectory: string): Promise<Doubted["finding"]> {
		const { toolCallId, toolKind } = report;
		const before = this.#doubted.get(toolCallId)?.finding;
		const changes = this.#changes.get(toolCallId) ?? [];
		const [found, shownBy] =
			toolKind === "delete" ? await deletion(places, this.#since()) : await this.#edit(places, changes, workingDirectory);
		const finding = { ...found, examined: shownBy.map((place) => nameOf(place, workingDirectory)) };
		if (Object.values(found).includes(true)) remember(this.#doubted, toolCallId, { report, places, finding });
		else this.#doubted.delete(toolCallId);
		const { examined: _, ...doubts } = before ?? {};
		const settled = Object.fromEntries(Object.keys(doubts).map((key) => [key, false]));
		return { ...settled, ...finding };
	}

	async #edit(places: readonly string[], changes: readonly Diff[], workingDirectory: string): Promise<Seen> {
		if (await areAbsent(places)) return [{ notFound: true }, places];
		const since = this.#since();
		const untouched = await Promise.all(places.map((place) => isUnchanged(place, since)));
		if (!untouched.includes(false)) return [{ untouched: true }, places];
		let isShown = !untouched.includes(true);
		for (const place of places) {
			const here = changes.filter(({ path }) => resolve(workingDirectory, path) === place);
			const holds = await holdsOne(place, here);
			if (holds === false) return [{ notHeld: true }, [place]];
			isShown &&= holds === true || (await isNew(place, since));
		}
		// A newer time alone proves nothing, because a write may leave a file with the same content as before.
		return [isShown ? { untouched: false } : {}, places];
	}

	/**
	 * When the turn began, moved back as far as the computer's clock has been set back meanwhile: files that were changed after that have
	 * earlier times too.
	 */
	#since(): Since {
		const { at, tick } = this.#began;
		const setBackMs = Math.max(0, at - (Date.now() - (performance.now() - tick)));
		const there = this.#beganThere && { ...this.#beganThere, at: this.#beganThere.at - setBackMs };
		return { own: at - setBackMs, there };
	}
}

/** Keeps the newest entries. */
function remember<K, V>(entries: Map<K, V>, key: K, value: V): void {
	entries.delete(key);
	entries.set(key, value);
	const [oldest] = entries.keys();
	if (entries.size > REMEMBERED && oldest !== undefined) entries.delete(oldest);
}

/** The absolute paths of the files that a call names; undefined if it names none, or if it is unclear where they are. */
function placesOf(facts: CallFacts, workingDirectory: string): readonly string[] | undefined {
	const { paths, isUnclear } = facts;
	if (isUnclear || paths.size === 0 || paths.has("") || otherPlace(facts, workingDirectory) !== undefined) return undefined;
	return [...paths].map((path) => resolve(workingDirectory, path));
}

/** Whether one of the files is still there; nothing if they can't be examined, or if one of them was not there when the turn began. */
async function deletion(places: readonly string[], since: Since): Promise<Seen> {
	const present: string[] = [];
	for (const place of places) if (await isPresent(place)) present.push(place);
	if (present.length > 0) return [{ stillThere: true }, present];
	const mayBeGone = await Promise.all(places.map((place) => mayBeDeleted(place, since)));
	return [(await areAbsent(places)) && !mayBeGone.includes(false) ? { stillThere: false } : {}, places];
}

/** A file as the user knows it: relative to the working directory if it is in it. */
function nameOf(place: string, workingDirectory: string): string {
	const path = relative(workingDirectory, place);
	return path === "" || path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path) ? place : path;
}
