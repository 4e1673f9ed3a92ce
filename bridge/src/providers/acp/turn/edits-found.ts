import { basename, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Diff, ToolCall, ToolCallId } from "@xworkmate/contracts";
import { areAbsent, isPresent } from "@xworkmate/platform/files";
import type { ProviderUpdate } from "../../../ports/runs/run-event.ts";
import { type CallFacts, otherPlace } from "../protocol/call-facts.ts";
import { changeOf, contentOf, holdsOne, identityOf, isNew, isUnchanged, nameOf, presentOf, type Since } from "./edited-file.ts";
import { movedBy, withMoved } from "./moved-by.ts";
import type { OpenCalls } from "./open-calls.ts";

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
	readonly first: FirstContents;
}

/** By path: a digest of what the file contained when the turn began, if only edits of named files can have changed it since. */
type FirstContents = ReadonlyMap<string, string | undefined>;

/** How many entries each of the maps of calls and of files keeps. */
const REMEMBERED = 500;

/**
 * How many bytes of files a turn reads only because a call names them. The number is limited, because an agent may name any number of
 * files, and the run's log waits for the reading.
 */
const READ_BYTES = 64 * 1024 * 1024;

/** Kinds of calls whose files can show that a call was not made. */
const EXAMINED: ReadonlySet<Report["toolKind"]> = new Set<Report["toolKind"]>(["edit", "delete", "move"]);

/** Examines the files of edits, deletions and moves that an agent reports as done, because the report may be wrong. */
export class EditsFound {
	/** When the turn began: a file that has not changed since then was not edited in the turn. */
	readonly #began = { at: Date.now(), tick: performance.now() };
	#beganThere: Since["there"];
	readonly #changes = new Map<ToolCallId, readonly Diff[]>();
	/** By path: the identity that the file had when a call last named it; undefined if the file was never seen. */
	readonly #sightings = new Map<string, Promise<string | undefined>>();
	/**
	 * By path: a digest of what the file contained when the turn began, and the calls' mark when that was read. A file that may already have
	 * changed has no digest.
	 */
	readonly #contents = new Map<string, { readonly content: Promise<string | undefined>; readonly mark: number }>();
	/** Settles when the last file requested so far has been read: files are read one after another. */
	#read: Promise<string | undefined> = Promise.resolve(undefined);
	#bytesLeft = READ_BYTES;
	/** By path: the only call that reported an edit to the file; undefined if several did, because one may have undone another. */
	readonly #editors = new Map<string, ToolCallId | undefined>();
	/** By path: the identity of a file that was there when an edit of it was reported as done. */
	readonly #edited = new Map<string, string | undefined>();
	readonly #doubted = new Map<ToolCallId, Doubted>();
	readonly #calls: OpenCalls;

	constructor(calls: OpenCalls) {
		this.#calls = calls;
	}

	/** @param folder a folder that was made for the turn; its times show the clock of its file system */
	async begin(folder: string): Promise<void> {
		this.#beganThere = await changeOf(folder);
	}

	/**
	 * Notes which of a call's files exist when the call is reported or asked about, and what they contain. Only a file that was seen can be
	 * called deleted: a missing file may never have existed.
	 */
	notice(facts: CallFacts, workingDirectory: string): void {
		for (const place of placesOf(withMoved(facts), workingDirectory) ?? []) {
			const seen = Promise.all([this.#sightings.get(place), identityOf(place)]).then(([earlier, now]) => now ?? earlier);
			remember(this.#sightings, place, seen);
			this.#noticeContent(place);
		}
	}

	#noticeContent(place: string): void {
		const mark = this.#calls.mark;
		// While another call, such as a command, may be changing files, the first content can't show which call changes the file.
		if (mark === undefined) return;
		const { content, mark: then } = this.#contents.get(place) ?? { content: this.#contentAtFirst(place), mark };
		remember(this.#contents, place, { content: then === mark ? content : this.#contentIfUnchanged(place, content), mark });
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
		const target = to === undefined ? undefined : resolve(workingDirectory, to);
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
		const first = await this.#firstContents(places, doubted?.first);
		const [found, shownBy] =
			toolKind === "delete"
				? await this.#deletion(places)
				: toolKind === "move"
					? await this.#move(places, target)
					: await this.#edit(report, places, first, workingDirectory);
		const finding = { ...found, examined: shownBy.map((place) => nameOf(place, workingDirectory)) };
		if (Object.values(found).includes(true)) remember(this.#doubted, toolCallId, { report, places, target, finding, first });
		else this.#doubted.delete(toolCallId);
		const { examined: _, ...doubts } = doubted?.finding ?? {};
		const settled = Object.fromEntries(Object.keys(doubts).map((key) => [key, false]));
		return { ...settled, ...finding };
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
		const since = this.#since();
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

	async #edit({ toolCallId }: Report, places: readonly string[], first: FirstContents, workingDirectory: string): Promise<Seen> {
		const changes = this.#changes.get(toolCallId) ?? [];
		if (await areAbsent(places)) return [{ notFound: true }, places];
		const since = this.#since();
		for (const place of places) {
			const isOnly = !this.#editors.has(place) || this.#editors.get(place) === toolCallId;
			remember(this.#editors, place, isOnly ? toolCallId : undefined);
		}
		const untouched = await Promise.all(places.map((place) => this.#isAsBefore(place, first.get(place), since)));
		if (!untouched.includes(false)) return [{ untouched: true }, await presentOf(places)];
		let isShown = !untouched.includes(true);
		for (const place of places) {
			const here = changes.filter(({ path }) => resolve(workingDirectory, path) === place);
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

	async #firstContents(places: readonly string[], earlier: FirstContents = new Map()): Promise<FirstContents> {
		const mark = this.#calls.mark;
		const known = places.map((place) => {
			const seen = this.#contents.get(place);
			return earlier.get(place) ?? (seen?.mark === mark ? seen?.content : undefined);
		});
		const contents = await Promise.all(known);
		return new Map(places.map((place, index) => [place, contents[index]]));
	}

	async #contentIfUnchanged(place: string, content: Promise<string | undefined>): Promise<string | undefined> {
		return (await isUnchanged(place, this.#since())) ? await content : undefined;
	}

	/** What a file contains, if it has certainly not changed since the turn began, and if the turn may still read that much. */
	#contentAtFirst(place: string): Promise<string | undefined> {
		this.#read = this.#read.then(async () => {
			if (this.#bytesLeft === 0 || !(await isUnchanged(place, this.#since()))) return undefined;
			const content = await contentOf(place, (bytes) => this.#spend(bytes));
			return (await isUnchanged(place, this.#since())) ? content : undefined;
		});
		return this.#read;
	}

	/** True if this many bytes may still be read. After the first refusal, no file is read any more. */
	#spend(bytes: number): boolean {
		const isEnough = bytes <= this.#bytesLeft;
		this.#bytesLeft = isEnough ? this.#bytesLeft - bytes : 0;
		return isEnough;
	}

	/**
	 * When the turn began, moved back by as much as the computer's clock has been set back since then, because files changed after that have
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
	return [...new Set([...paths].map((path) => resolve(workingDirectory, path)))];
}
