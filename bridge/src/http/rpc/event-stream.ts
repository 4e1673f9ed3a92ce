import { isTerminal, type RunId } from "@xworkmate/contracts";
import type { JSONRPCID } from "json-rpc-2.0";
import { seqAhead } from "../../ports/event-log.ts";
import type { LoggedEvent } from "../../ports/runs/run-event.ts";
import type { RunService } from "../../ports/runs/run-service.ts";
import { errorResponse, normalizeError, type RunOpening } from "../../rpc/index.ts";
import { type ShownEvent, updateAddress } from "../../runs/domain/session-update.ts";
import type { StreamWriter } from "../reply/stream-writer.ts";
import { errorFrame, eventFrames, frameForm, resultFrame } from "./event-frames.ts";

/** How much of the store is read at once. Frames are up to four times as long as the texts of small events. */
const PAGE_CHARACTERS = 32 * 1024;

/**
 * The first events of a stream, read before the headers are sent, so that errors can be refusals. They come from memory if it has them, as
 * it does for a run that was just submitted.
 * @throws ContractError SEQ_AHEAD
 */
export async function readFirstPage(runs: RunService, { record: { runId }, afterSeq }: RunOpening): Promise<readonly ShownEvent[]> {
	const run = runs.live(runId);
	if (run === undefined) return runs.log.readTexts(runId, afterSeq, PAGE_CHARACTERS);
	const { lastSeq } = run.committedState;
	if (afterSeq > lastSeq) throw seqAhead(afterSeq);
	if (afterSeq === lastSeq) return [];
	return run.recent[0]?.seq === afterSeq + 1 ? run.recent : runs.log.readTexts(runId, afterSeq, PAGE_CHARACTERS);
}

/**
 * Sends a run's log to one reader: pages from the store at the reader's pace until it has caught up, then each commit as it is announced,
 * and finally the response. A reader that disconnects does not affect the run.
 */
export class EventStream {
	readonly #runs: RunService;
	readonly #runId: RunId;
	readonly #address: string;
	readonly #id: JSONRPCID;
	readonly #writer: StreamWriter;
	/** The last seq that was written. */
	#cursor: number;
	/** The last seq that is known to be committed. */
	#committed: number;
	/** True once the reader has caught up: commits are then written as they are announced. */
	#live = false;

	// Does not keep the opening, because a stream may be open for hours and the request may be megabytes.
	constructor(runs: RunService, { record, afterSeq }: RunOpening, id: JSONRPCID, writer: StreamWriter) {
		this.#runs = runs;
		this.#runId = record.runId;
		this.#address = updateAddress(record);
		this.#id = id;
		this.#writer = writer;
		this.#cursor = afterSeq;
		this.#committed = afterSeq;
	}

	/**
	 * Sends events until the response is sent or the reader has disconnected. Returns without waiting for that end, so that no caller keeps
	 * the first page in memory.
	 */
	begin(firstPage: readonly ShownEvent[]): void {
		this.#writer.onClosed(this.#runs.log.onCommitted(this.#runId, (events) => this.#onCommitted(events)));
		void this.#catchUp(firstPage);
	}

	/** Never rejects. */
	async #catchUp(firstPage: readonly ShownEvent[]): Promise<void> {
		this.#live = false;
		try {
			for (let page = firstPage; this.#writer.isOpen; page = await this.#nextPage()) {
				this.#write(page);
				if (this.#joinsRun() || (await this.#isAtEnd(page))) return;
			}
		} catch (thrown) {
			this.#fail(thrown);
		}
	}

	/** Writes what the store can frame itself, then reads a page of what follows. */
	async #nextPage(): Promise<readonly ShownEvent[]> {
		const form = frameForm(this.#address);
		for (;;) {
			// Read only when the reader has room for it, and after everything else that waits for the event loop.
			await this.#writer.drained();
			await new Promise((resolve) => setImmediate(resolve));
			const frames = this.#writer.isOpen ? await this.#runs.readFrames(this.#runId, this.#cursor, form) : undefined;
			if (frames === undefined) return this.#runs.log.readTexts(this.#runId, this.#cursor, PAGE_CHARACTERS);
			this.#writer.write({ payload: frames.bytes });
			this.#cursor = frames.lastSeq;
		}
	}

	/**
	 * Ends the stream if the run has ended; otherwise the next commit is written as it is announced. False, without an effect, unless the run
	 * is in memory and everything that it has committed was written.
	 */
	#joinsRun(): boolean {
		const run = this.#runs.live(this.#runId);
		if (run === undefined || run.committedState.lastSeq > this.#cursor) return false;
		if (run.sealedText === undefined) this.#live = true;
		else this.#finish(run.sealedText);
		return true;
	}

	/**
	 * Ends the stream if the run has ended; otherwise the next commit is written as it is announced. False, without an effect, if the store
	 * has more events after this page.
	 */
	async #isAtEnd(page: readonly ShownEvent[]): Promise<boolean> {
		const last = page.at(-1);
		if (last !== undefined && !isTerminal(last.status)) return false;
		const snapshot = await this.#runs.snapshot(this.#runId);
		// Commits made while the snapshot was being read are in `#committed`. There is no await below, so no commit can come in between.
		if (snapshot.lastSeq > this.#cursor || this.#committed > this.#cursor) return false;
		if (isTerminal(snapshot.status)) this.#finish(JSON.stringify(snapshot));
		else this.#live = true;
		return true;
	}

	#onCommitted(events: readonly LoggedEvent[]): void {
		const last = events.at(-1);
		if (last === undefined) return;
		this.#committed = last.seq;
		if (!this.#live) return;
		const ended = isTerminal(last.status);
		if (events[0]?.seq === this.#cursor + 1) {
			if (ended) this.#writer.hold();
			this.#write(events);
		}
		// Either the run has ended, so the response follows, or a commit before this one is missing, and has to be read from the store.
		if (ended || this.#committed > this.#cursor) void this.#catchUp([]);
	}

	#write(events: readonly ShownEvent[]): void {
		const last = events.at(-1);
		if (last === undefined) return;
		this.#writer.write(eventFrames(this.#address, events));
		this.#cursor = last.seq;
	}

	/** `snapshot`: the terminal snapshot, as JSON. */
	#finish(snapshot: string): void {
		this.#writer.end(resultFrame(this.#cursor, this.#id, snapshot));
	}

	/** Sends the error as the answer. An internal error drops the connection instead: the run continues, and the reader resumes. */
	#fail(thrown: unknown): void {
		const error = normalizeError(thrown);
		if (error.code === "INTERNAL") this.#writer.cut();
		else this.#writer.end(errorFrame(this.#cursor, errorResponse(this.#id, error)));
	}
}
