import type { ThreadId, TurnId } from "@xworkmate/contracts";
import type { ThreadDetail, ThreadFiles, TurnDetail } from "../../api/ui-api.ts";
import { AppRefusal, sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { Store } from "../connection/store.ts";
import { sentMessage } from "./sent-message.ts";
import { TurnFollower } from "./turn-follower.ts";

export interface OpenThread {
	readonly detail?: ThreadDetail;
	readonly problem?: string;
	/** True if the thread was deleted or never existed. */
	readonly isGone?: boolean;
	readonly files?: ThreadFiles;
	readonly filesProblem?: string;
	/** How many reads have failed since the last complete one. If there are any, the thread shown here may be out of date. */
	readonly failedReads?: number;
	/** When the last complete read began, by this page's clock. */
	readonly readAt?: string;
}

/** The open thread. It is read completely, and again when its summary changes; its turns are followed. */
export class ThreadReader {
	readonly threadId: ThreadId;
	readonly open = new Store<OpenThread>({});
	readonly #turns = new Map<TurnId, TurnFollower>();
	#reading = false;
	#again = false;
	#readingFiles: Promise<void> | undefined;
	#filesAgain = false;
	#closed = false;
	readonly #answered: () => void;

	/** @param answered called whenever a turn's stream has been opened, which shows that the app responds */
	constructor(threadId: ThreadId, answered: () => void = () => {}) {
		this.threadId = threadId;
		this.#answered = answered;
	}

	turn(turnId: TurnId): TurnFollower {
		const known = this.#turns.get(turnId);
		if (known !== undefined) return known;
		const follower = new TurnFollower(this.threadId, turnId, this.#answered);
		this.#turns.set(turnId, follower);
		return follower;
	}

	/** Reads the thread. Calls during a read cause one more read, never two at once. */
	async read(): Promise<void> {
		this.#again = this.#reading;
		if (this.#reading) return;
		this.#reading = true;
		try {
			const readAt = new Date().toISOString();
			const before = this.open.value.detail;
			const sent = sentMessage.value;
			const detail = await callApp("readThread", { threadId: this.threadId, ...sinceMark(before) });
			if (!this.#closed) this.#set({ detail: withKnown(detail, before) });
			// A message that was sent before this read is included in it.
			if (sent?.threadId === this.threadId && sentMessage.value === sent) sentMessage.set(undefined);
			await this.readFiles();
			if (!this.#closed && this.open.value.filesProblem === undefined) this.#set({ failedReads: 0, readAt });
		} catch (error) {
			if (error instanceof AppRefusal && error.code === "THREAD_NOT_FOUND") this.#set({ isGone: true });
			else this.#fail(this.open.value.detail === undefined ? { problem: sayError(error) } : {});
		} finally {
			this.#reading = false;
			if (this.#again && !this.#closed) void this.read();
		}
	}

	/** Reads the current state of the files. Calls during a read cause one more read, never two at once. */
	async readFiles(): Promise<void> {
		this.#filesAgain = this.#readingFiles !== undefined;
		this.#readingFiles ??= this.#readFiles().finally(() => {
			this.#readingFiles = undefined;
			if (this.#filesAgain && !this.#closed) void this.readFiles();
		});
		await this.#readingFiles;
	}

	/** Asks the app to report changes on disk for a while. If the app was not watching yet, this also reads what has changed before. */
	async watchFiles(): Promise<void> {
		try {
			const { begun } = await callApp("watchFiles", { threadId: this.threadId });
			if (begun && !this.#closed) await this.readFiles();
		} catch {
			// The page already shows that the app is unreachable or that the thread is gone. While the page is visible, the request is
			// repeated when the app responds again, and every 30 seconds.
			return;
		}
	}

	async #readFiles(): Promise<void> {
		try {
			const before = this.open.value.files;
			const files = withKnownRuns(await callApp("listFiles", { threadId: this.threadId, ...sinceMark(before) }), before);
			const { filesProblem: _solved, ...open } = this.open.value;
			if (!this.#closed) this.open.set({ ...open, files });
		} catch (error) {
			this.#fail({ filesProblem: sayError(error) });
		}
	}

	begin(): void {
		this.#closed = false;
	}

	close(): void {
		this.#closed = true;
		for (const turn of this.#turns.values()) turn.leave();
	}

	#fail(change: Partial<OpenThread>): void {
		if (!this.#closed) this.#set({ ...change, failedReads: (this.open.value.failedReads ?? 0) + 1 });
	}

	#set(change: Partial<OpenThread>): void {
		this.open.set({ ...this.open.value, ...change });
	}
}

/** Params that ask only for what has changed since the last read. */
function sinceMark(read: { readonly mark?: string } | undefined): { readonly since?: string } {
	return read?.mark === undefined ? {} : { since: read.mark };
}

/** Turns that have not changed keep their identity, so that of a hundred turns only the changed one is rendered again. */
function withKnown(detail: ThreadDetail, before: ThreadDetail | undefined): ThreadDetail {
	if (before === undefined) return detail;
	const known = new Map(before.turns.map((turn) => [turn.turn.turnId, turn]));
	const read = detail.turns.map((turn) => {
		const old = known.get(turn.turn.turnId);
		return old !== undefined && markOf(old) === markOf(turn) ? old : turn;
	});
	if (detail.since === undefined) return { ...detail, turns: read };
	const turns = replaced(before.turns, read, ({ turn }) => turn.turnId);
	const thread = { ...detail.thread, turns: replaced(before.thread.turns, detail.thread.turns, ({ turnId }) => turnId) };
	return { ...detail, thread, turns };
}

/** Replaces the changed items; new items are added at the end. */
function replaced<T>(before: readonly T[], changed: readonly T[], idOf: (one: T) => string): readonly T[] {
	const all = new Map([...before, ...changed].map((one) => [idOf(one), one]));
	return [...all.values()];
}

/** Replaces the changed runs; new runs are added at the beginning. */
function withKnownRuns(files: ThreadFiles, before: ThreadFiles | undefined): ThreadFiles {
	if (before === undefined || files.since === undefined) return files;
	const newestLast = replaced(before.runs.toReversed(), files.runs.toReversed(), ({ runId }) => runId);
	return { ...files, runs: newestLast.toReversed() };
}

/**
 * A string that changes whenever a turn's detail changes. The turn's request and the rest of its terminal snapshot are left out, because
 * they never change.
 */
function markOf({ turn, snapshot, keptAttachments }: TurnDetail): string {
	return JSON.stringify([turn, snapshot?.status, snapshot?.code, keptAttachments]);
}
