import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Diff, foundAgainst, type ToolCall, type ToolCallId } from "@xworkmate/contracts";
import { areAbsent, isPresent } from "@xworkmate/platform/files";
import type { ProviderUpdate } from "../../../ports/runs/run-event.ts";
import { type CallFacts, otherPlace } from "../protocol/call-facts.ts";
import { contentOf, holdsOne, identityOf, isNew, isUnchanged, nameOf, presentOf, type Since } from "./edited-file.ts";
import { FirstContents, type KnownContents } from "./first-contents.ts";
import { LaterCalls } from "./later-calls.ts";
import { movedBy, withMoved } from "./moved-by.ts";
import type { OpenCalls } from "./open-calls.ts";
import { placeOf } from "./real-place.ts";
import { remember } from "./remember.ts";
import { TurnStart } from "./turn-start.ts";

type Report = Extract<ProviderUpdate, { kind: "tool_call" }>;
type Finding = Pick<ToolCall, "notFound" | "untouched" | "notHeld" | "stillThere">;
/** What was found, and the files that show it. */
type Seen = readonly [Finding, readonly string[]];

/** A reported edit, deletion or move of which its files showed no trace when they were last examined. */
interface Doubted {
	readonly report: Report;
	readonly places: readonly string[];
	/** Where a move puts its file, if that is known: the first place is its source then. */
	readonly target: string | undefined;
	readonly finding: Finding & Pick<ToolCall, "examined">;
	readonly first: KnownContents;
}

/** Kinds of calls for which the files can show that the call was not made. */
const EXAMINED: ReadonlySet<Report["toolKind"]> = new Set<Report["toolKind"]>(["edit", "delete", "move"]);

/** Examines the files of edits, deletions and moves that an agent reports as done, because the report may be wrong. */
export class EditsFound {
	readonly #start = new TurnStart();
	readonly #later = new LaterCalls();
	readonly #contents: FirstContents;
	readonly #changes = new Map<ToolCallId, readonly Diff[]>();
	/** By path: the identity that the file had when a call last named it; undefined if the file was never seen. */
	readonly #sightings = new Map<string, Promise<string | undefined>>();
	/** By path: the only call that reported an edit to the file; undefined if several did, because one may have undone another. */
	readonly #editors = new Map<string, ToolCallId | undefined>();
	/** By path: the identity of a file that was there when an edit of it was reported as done. */
	readonly #edited = new Map<string, string | undefined>();
	readonly #doubted = new Map<ToolCallId, Doubted>();

	constructor(calls: OpenCalls) {
		this.#contents = new FirstContents(calls, this.#start);
	}

	/** @param folder a folder that was made for the turn; its times show the clock of its file system */
	async begin(folder: string): Promise<void> {
		await this.#start.begin(folder);
	}

	/**
	 * Notes which of a call's files exist when the call is reported or asked about, and what they contain. Only a file that was seen can be
	 * called deleted: a missing file may never have existed.
	 */
	notice(facts: CallFacts, workingDirectory: string): void {
		for (const place of placesOf(withMoved(facts), workingDirectory) ?? []) {
			const seen = Promise.all([this.#sightings.get(place), identityOf(place)]).then(([earlier, now]) => now ?? earlier);
			remember(this.#sightings, place, seen);
			this.#contents.notice(place);
		}
	}

	/** Notes the order of the reports. Call this when a report is received, before its files are examined. */
	received(report: Report, facts: CallFacts | undefined, workingDirectory: string): void {
		this.#later.received(report, facts && placesOf(withMoved(facts, report.title), workingDirectory));
	}

	/**
	 * Adds to an update what was found, and in which files. Never rejects: if a file can't be examined, the agent's report about it is
	 * believed.
	 */
	async look(update: ProviderUpdate, facts: CallFacts, workingDirectory: string): Promise<ProviderUpdate> {
		if (update.kind !== "tool_call") return update;
		if (update.diff !== undefined) remember(this.#changes, update.toolCallId, update.diff);
		if (update.state !== "completed" || !EXAMINED.has(update.toolKind)) return update;
		const isMove = update.toolKind === "move";
		const places = placesOf(isMove ? withMoved(facts, update.title) : facts, workingDirectory);
		if (places === undefined) return update;
		const [, to] = (isMove && movedBy(facts, update.title)) || [];
		const target = to === undefined ? undefined : placeOf(workingDirectory, to);
		return { ...update, ...(await this.#examine({ report: update, places, target }, workingDirectory)) };
	}

	/**
	 * Examines the files of doubted calls again, because an agent may report a call before it makes it. Returns the findings that have
	 * changed.
	 */
	async lookAgain(workingDirectory: string): Promise<readonly ProviderUpdate[]> {
		const updates: ProviderUpdate[] = [];
		for (const { report, places, target, finding } of [...this.#doubted.values()]) {
			const now = await this.#examine({ report, places, target }, workingDirectory);
			const { toolCallId, title, toolKind, state } = report;
			if (!isDeepStrictEqual(now, finding)) updates.push({ kind: "tool_call", toolCallId, title, toolKind, state, ...now });
		}
		return updates;
	}

	/** What the files of a reported call show now. A finding that no longer holds is included as false. */
	async #examine(
		{ report, places, target }: Pick<Doubted, "report" | "places" | "target">,
		workingDirectory: string,
	): Promise<Doubted["finding"]> {
		const { toolCallId, toolKind } = report;
		const doubted = this.#doubted.get(toolCallId);
		// The contents known at the first examination still count: a call that begins later doesn't change what they showed.
		const first = await this.#contents.of(places, doubted?.first);
		const seen: Seen =
			toolKind === "delete"
				? await this.#deletion(places)
				: toolKind === "move"
					? await this.#move(places, target)
					: await this.#edit(report, places, first, workingDirectory);
		const isExplained = await this.#isExplained(seen, { report, places }, doubted);
		// That a later call may have removed the files does not show that this one was made.
		if (doubted !== undefined && isExplained && foundAgainst(seen[0]) === "not_found") return doubted.finding;
		const [found, shownBy]: Seen = isExplained ? [{}, places] : seen;
		const finding = { ...found, examined: shownBy.map((place) => nameOf(place, workingDirectory)) };
		if (Object.values(found).includes(true)) remember(this.#doubted, toolCallId, { report, places, target, finding, first });
		else this.#doubted.delete(toolCallId);
		const { examined: _, ...doubts } = doubted?.finding ?? {};
		const settled = Object.fromEntries(Object.keys(doubts).map((key) => [key, false]));
		return { ...settled, ...finding };
	}

	/**
	 * True if what speaks against a report may be what a later call has done. An agent that sends many reports at once has made the later
	 * calls before the files of the first are examined. A finding that was made before the later calls stays, and so does one shown by a file
	 * that has certainly not changed in the turn.
	 */
	async #isExplained([found, shownBy]: Seen, { report, places }: Pick<Doubted, "report" | "places">, doubted?: Doubted): Promise<boolean> {
		const against = foundAgainst(found);
		if (against === undefined || against === "none" || against === (doubted && foundAgainst(doubted.finding))) return false;
		const isGone = against === "not_found" || against === "untouched";
		if (!this.#later.mayHaveChanged(places, report.toolCallId, isGone)) return false;
		const since = this.#start.since;
		const shown = report.toolKind === "move" ? places : shownBy;
		return !(await Promise.all(shown.map((place) => isUnchanged(place, since)))).includes(true);
	}

	/**
	 * `stillThere`: true if one of the files exists, false if those seen earlier are missing; absent if none was seen, or if they can't be
	 * examined.
	 */
	async #deletion(places: readonly string[]): Promise<Seen> {
		const present: string[] = [];
		const gone: string[] = [];
		for (const place of places) {
			const seen = await this.#sightings.get(place);
			if (await isPresent(place)) present.push(place);
			else if (seen !== undefined) gone.push(place);
		}
		if (present.length > 0) return [{ stillThere: true }, present];
		return gone.length > 0 && (await areAbsent(places)) ? [{ stillThere: false }, gone] : [{}, places];
	}

	/**
	 * If a named file has changed since the turn began, only `stillThere` may be found: it is false if files are missing, and each of them
	 * was seen earlier and is now at one of the named places. Otherwise, `untouched` is found if at least one named file exists, and each
	 * missing one was seen earlier; `notFound` if several files are named, and either a missing one was never seen or all are missing. The
	 * finding then names only the targets, because a missing source doesn't contradict the move. An agent doesn't say which place is the
	 * target, but a move would have given the file there a newer change time. If the only named file is missing, nothing is found, because
	 * its path may be the file's old one. If the target is known, an existing source and a missing target suffice for `notFound`.
	 */
	async #move(places: readonly string[], target: string | undefined): Promise<Seen> {
		const [source = ""] = places;
		if (target !== undefined && (await isPresent(source)) && (await areAbsent([target]))) return [{ notFound: true }, [target]];
		const since = this.#start.since;
		const gone: string[] = [];
		let isChanged = false;
		for (const place of places) {
			if (await areAbsent([place])) gone.push(place);
			else isChanged ||= !(await isUnchanged(place, since));
		}
		if (await this.#isStillFirst(places, gone)) return [{ notFound: true }, gone];
		if (isChanged) return [(await this.#areMoved(gone, places)) ? { stillThere: false } : {}, places];
		const seen = await Promise.all(gone.map((place) => this.#sightings.get(place)));
		const unseen = gone.filter((_, index) => seen[index] === undefined);
		const present = places.filter((place) => !gone.includes(place));
		// A missing file that was seen before may be the source of the move.
		if (unseen.length === 0 && present.length > 0) return [{ untouched: true }, present];
		// If either none or all of the missing files were seen, the last one is the target, because an agent names the source before the
		// target.
		const targets = unseen.length > 0 && unseen.length < gone.length ? unseen : gone.slice(-1);
		return places.length > 1 ? [{ notFound: true }, targets] : [{}, places];
	}

	/** True for two places of which one was never seen and is missing, while at the other is the file that an earlier edit left there. */
	async #isStillFirst(places: readonly string[], [gone = "", ...more]: readonly string[]): Promise<boolean> {
		const there = places.find((place) => place !== gone) ?? "";
		if (places.length !== 2 || gone === "" || more.length > 0 || !this.#edited.has(there)) return false;
		return (await this.#sightings.get(gone)) === undefined && (await identityOf(there)) === this.#edited.get(there);
	}

	/** True if each missing file is now at one of these places, or inside one that is a folder. */
	async #areMoved(gone: readonly string[], places: readonly string[]): Promise<boolean> {
		for (const old of gone) {
			const before = await this.#sightings.get(old);
			if (before === undefined) return false;
			const now = await Promise.all(places.flatMap((place) => [place, join(place, basename(old))]).map((place) => identityOf(place)));
			if (!now.includes(before)) return false;
		}
		return gone.length > 0;
	}

	async #edit({ toolCallId }: Report, places: readonly string[], first: KnownContents, workingDirectory: string): Promise<Seen> {
		const changes = this.#changes.get(toolCallId) ?? [];
		if (await areAbsent(places)) return [{ notFound: true }, places];
		const since = this.#start.since;
		for (const place of places) {
			const isOnly = !this.#editors.has(place) || this.#editors.get(place) === toolCallId;
			remember(this.#editors, place, isOnly ? toolCallId : undefined);
		}
		const untouched = await Promise.all(places.map((place) => this.#isAsBefore(place, first.get(place), since)));
		if (!untouched.includes(false)) return [{ untouched: true }, await presentOf(places)];
		let isShown = !untouched.includes(true);
		for (const place of places) {
			const here = changes.filter(({ path }) => placeOf(workingDirectory, path) === place);
			const holds = await holdsOne(place, here);
			if (holds === false) return [{ notHeld: true }, [place]];
			isShown &&= holds === true || (await isNew(place, since));
		}
		for (const place of places) remember(this.#edited, place, await identityOf(place));
		// A newer time alone proves nothing, because a write may leave a file with the same content as before.
		return [isShown ? { untouched: false } : {}, places];
	}

	/**
	 * True if a file has certainly not changed since the turn began, or is missing and was never seen. A newer time alone does not count as a
	 * change.
	 */
	async #isAsBefore(place: string, first: string | undefined, since: Since): Promise<boolean> {
		if (await areAbsent([place])) return (await this.#sightings.get(place)) === undefined;
		if (await isUnchanged(place, since)) return true;
		return first !== undefined && this.#editors.get(place) !== undefined && first === (await contentOf(place));
	}
}

/** The absolute paths of the files that a call names; undefined if it names none, or if it is unclear where they are. */
function placesOf(facts: CallFacts, workingDirectory: string): readonly string[] | undefined {
	const { paths, isUnclear } = facts;
	if (isUnclear || paths.size === 0 || paths.has("") || otherPlace(facts, workingDirectory) !== undefined) return undefined;
	return [...new Set([...paths].map((path) => placeOf(workingDirectory, path)))];
}
