import { isTerminal, type Snapshot } from "@xworkmate/contracts";
import { createJSONRPCSuccessResponse, type JSONRPCID } from "json-rpc-2.0";
import type { LoggedEvent } from "../../ports/run-event.ts";
import type { RunService } from "../../ports/run-service.ts";
import { errorResponse, normalizeError, type RunOpening } from "../../rpc/index.ts";
import type { StreamWriter } from "../reply/stream-writer.ts";
import { eventFrames, responseFrame } from "./event-frames.ts";

const PAGE_EVENTS = 64;

/** The first page of a stream, read before the headers are sent so that errors can be refusals. @throws ContractError SEQ_AHEAD */
export function readFirstPage(runs: RunService, { record, afterSeq }: RunOpening): Promise<readonly LoggedEvent[]> {
	return runs.log.read(record.runId, afterSeq, PAGE_EVENTS);
}

/**
 * Shows a run's log to one reader: pages of the store at the reader's pace until it has caught up, then each commit as it is announced, and
 * the response last. A reader that disconnects does not affect the run.
 */
export class EventStream {
	readonly #runs: RunService;
	readonly #opening: RunOpening;
	readonly #id: JSONRPCID;
	readonly #writer: StreamWriter;
	readonly #over = Promise.withResolvers<void>();
	/** The last seq that was written. */
	#cursor: number;
	/** The last seq that is known to be committed. */
	#committed: number;
	/** True once it has caught up: commits are then written as they are announced. */
	#live = false;

	constructor(runs: RunService, opening: RunOpening, id: JSONRPCID, writer: StreamWriter) {
		this.#runs = runs;
		this.#opening = opening;
		this.#id = id;
		this.#writer = writer;
		this.#cursor = opening.afterSeq;
		this.#committed = opening.afterSeq;
	}

	/** Settles when the response was sent or the reader disconnected. */
	async serve(firstPage: readonly LoggedEvent[]): Promise<void> {
		const { runId } = this.#opening.record;
		const stopListening = this.#runs.log.onCommitted(runId, (events) => this.#onCommitted(events));
		try {
			await this.#catchUp(firstPage);
			await Promise.race([this.#over.promise, this.#writer.closed]);
			if (this.#writer.isOpen) await this.#finish();
		} catch (thrown) {
			this.#fail(thrown);
		} finally {
			stopListening();
		}
	}

	async #catchUp(firstPage: readonly LoggedEvent[]): Promise<void> {
		this.#live = false;
		let page = firstPage;
		while (this.#writer.isOpen) {
			this.#write(page);
			await this.#writer.drained();
			page = await this.#runs.log.read(this.#opening.record.runId, this.#cursor, PAGE_EVENTS);
			if (page.length === 0 && (await this.#isAtEnd())) return;
		}
	}

	/** The store has no more events: either the run has ended, or the next commit continues. */
	async #isAtEnd(): Promise<boolean> {
		const { status, lastSeq } = await this.#snapshot();
		// No await below, so a commit that happened meanwhile has been counted.
		if (lastSeq > this.#cursor || this.#committed > this.#cursor) return false;
		if (isTerminal(status)) this.#over.resolve();
		else this.#live = true;
		return true;
	}

	#onCommitted(events: readonly LoggedEvent[]): void {
		this.#committed = events.at(-1)?.seq ?? this.#committed;
		if (!this.#live) return;
		const [first] = events;
		if (first?.seq === this.#cursor + 1) this.#write(events);
		// A commit that was announced twice or out of order is read from the store instead.
		else if (this.#committed > this.#cursor) void this.#catchUp([]).catch((thrown: unknown) => this.#fail(thrown));
	}

	#write(events: readonly LoggedEvent[]): void {
		const last = events.at(-1);
		if (last === undefined) return;
		this.#writer.write(eventFrames(this.#opening.record, events));
		this.#cursor = last.seq;
		if (this.#live && last.event.type === "ended") this.#over.resolve();
	}

	async #finish(): Promise<void> {
		const snapshot = await this.#snapshot();
		this.#writer.end(responseFrame(snapshot.lastSeq, createJSONRPCSuccessResponse(this.#id, snapshot)));
	}

	#snapshot(): Promise<Snapshot> {
		return this.#runs.snapshot(this.#opening.record.runId);
	}

	/**
	 * Sends a refusal as an answer. For any other error it drops the connection: the run continues, and the reader resumes or asks again.
	 */
	#fail(thrown: unknown): void {
		const error = normalizeError(thrown);
		if (error.code === "INTERNAL") this.#writer.cut();
		else this.#writer.end(responseFrame(this.#cursor, errorResponse(this.#id, error)));
		this.#over.resolve();
	}
}
