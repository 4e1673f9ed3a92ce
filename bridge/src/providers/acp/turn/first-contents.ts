import { contentOf, isUnchanged } from "./edited-file.ts";
import type { OpenCalls } from "./open-calls.ts";
import { remember } from "./remember.ts";
import type { TurnStart } from "./turn-start.ts";

/** By path: a digest of what the file contained when the turn began, if only edits of named files can have changed it since. */
export type KnownContents = ReadonlyMap<string, string | undefined>;

/**
 * How many bytes of files a turn reads only because a call names them. The number is limited, because an agent may name any number of
 * files, and the run's log waits for the reading.
 */
const READ_BYTES = 64 * 1024 * 1024;

/** What the files that calls name contained when the turn began. */
export class FirstContents {
	/**
	 * By path: a digest of what the file contained when the turn began, and the calls' mark when that was read. A file that may already have
	 * changed has no digest.
	 */
	readonly #contents = new Map<string, { readonly content: Promise<string | undefined>; readonly mark: number }>();
	/** Settles when the last file requested so far has been read: files are read one after another. */
	#read: Promise<string | undefined> = Promise.resolve(undefined);
	#bytesLeft = READ_BYTES;
	readonly #calls: Pick<OpenCalls, "mark">;
	readonly #start: TurnStart;

	constructor(calls: Pick<OpenCalls, "mark">, start: TurnStart) {
		this.#calls = calls;
		this.#start = start;
	}

	notice(place: string): void {
		const mark = this.#calls.mark;
		// While another call, such as a command, may be changing files, the first content can't show which call changes the file.
		if (mark === undefined) return;
		const { content, mark: then } = this.#contents.get(place) ?? { content: this.#contentAtFirst(place), mark };
		remember(this.#contents, place, { content: then === mark ? content : this.#contentIfUnchanged(place, content), mark });
	}

	/** @param earlier what was known when the files were examined before; it still counts */
	async of(places: readonly string[], earlier: KnownContents = new Map()): Promise<KnownContents> {
		const mark = this.#calls.mark;
		const known = places.map((place) => {
			const seen = this.#contents.get(place);
			return earlier.get(place) ?? (seen?.mark === mark ? seen?.content : undefined);
		});
		const contents = await Promise.all(known);
		return new Map(places.map((place, index) => [place, contents[index]]));
	}

	async #contentIfUnchanged(place: string, content: Promise<string | undefined>): Promise<string | undefined> {
		return (await isUnchanged(place, this.#start.since)) ? await content : undefined;
	}

	/** What a file contains, if it has certainly not changed since the turn began, and if the turn may still read that much. */
	#contentAtFirst(place: string): Promise<string | undefined> {
		this.#read = this.#read.then(async () => {
			if (this.#bytesLeft === 0 || !(await isUnchanged(place, this.#start.since))) return undefined;
			const content = await contentOf(place, (bytes) => this.#spend(bytes));
			return (await isUnchanged(place, this.#start.since)) ? content : undefined;
		});
		return this.#read;
	}

	/** True if this many bytes may still be read. After the first refusal, no file is read any more. */
	#spend(bytes: number): boolean {
		const isEnough = bytes <= this.#bytesLeft;
		this.#bytesLeft = isEnough ? this.#bytesLeft - bytes : 0;
		return isEnough;
	}
}
