import type { ServerResponse } from "node:http";
import { limits } from "@xworkmate/contracts";

export interface StreamWriterOptions {
	readonly heartbeatMs: number;
	heartbeat(): Buffer;
}

const STALLED_MS = 2 * limits.heartbeatMs;

/**
 * Writes to one reader with bounded memory: disconnects a reader that has more than `limits.readerLagBytes` unread, or that has read
 * nothing for 30 s. It resumes by its last event id.
 */
export class StreamWriter {
	readonly #raw: ServerResponse;
	readonly #timer: NodeJS.Timeout;
	readonly #closed = Promise.withResolvers<void>();
	/** Bytes that the reader has not accepted. */
	#unread = 0;
	#takenAt = performance.now();

	constructor(raw: ServerResponse, options: StreamWriterOptions) {
		this.#raw = raw;
		this.#timer = setInterval(() => this.#beat(options.heartbeat()), options.heartbeatMs);
		raw.once("close", () => this.#onClose());
		if (raw.destroyed) this.#onClose();
		// A reader that disconnects is not a fault; "close" follows.
		raw.on("error", () => {});
	}

	/** Settles when the reader has disconnected or the stream was ended. */
	get closed(): Promise<void> {
		return this.#closed.promise;
	}

	get isOpen(): boolean {
		return !this.#raw.destroyed && !this.#raw.writableEnded;
	}

	/** Sends the chunk, or disconnects a reader that is too far behind. */
	write(chunk: Buffer): void {
		if (!this.isOpen) return;
		if (this.#raw.writableLength > limits.readerLagBytes) {
			this.cut();
			return;
		}
		if (this.#unread++ === 0) this.#takenAt = performance.now();
		this.#raw.write(chunk, () => {
			this.#unread--;
			this.#takenAt = performance.now();
		});
	}

	/** Settles when the reader has accepted everything that was sent, or has disconnected. */
	async drained(): Promise<void> {
		if (!this.isOpen || !this.#raw.writableNeedDrain) return;
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#raw.once("drain", resolve);
		await Promise.race([promise, this.closed]);
		this.#raw.off("drain", resolve);
	}

	end(chunk: Buffer): void {
		clearInterval(this.#timer);
		if (this.isOpen) this.#raw.end(chunk);
	}

	/** Ends without the final event, which tells the reader to resume. */
	cut(): void {
		this.#raw.destroy();
	}

	#beat(frame: Buffer): void {
		if (this.#unread > 0 && performance.now() - this.#takenAt > STALLED_MS) this.cut();
		else this.write(frame);
	}

	#onClose(): void {
		clearInterval(this.#timer);
		this.#closed.resolve();
	}
}
