import type { ServerResponse } from "node:http";
import { limits } from "@xworkmate/contracts";
import type { Frames } from "./frames.ts";

export interface StreamWriterOptions {
	readonly heartbeatMs: number;
	heartbeat(): Frames;
}

const STALLED_MS = 2 * limits.heartbeatMs;

/**
 * Writes to one reader with bounded memory: disconnects a reader that has more than `limits.readerLagBytes` unread, or that has read
 * nothing for 30 s. The reader can resume by its last event id.
 */
export class StreamWriter {
	readonly #raw: ServerResponse;
	readonly #timer: NodeJS.Timeout;
	/** How many writes the reader has not accepted yet. */
	#unread = 0;
	#takenAt = performance.now();
	/** True once Node has written a chunk, so that the head has been sent. */
	#begun = false;

	constructor(raw: ServerResponse, options: StreamWriterOptions) {
		this.#raw = raw;
		this.#timer = setInterval(() => this.#beat(options.heartbeat()), options.heartbeatMs);
		this.onClosed(() => clearInterval(this.#timer));
		raw.on("error", ignore);
	}

	/** Calls back when the reader has disconnected or the stream was ended, immediately if that has already happened. */
	onClosed(listener: () => void): void {
		if (this.#raw.destroyed) listener();
		else this.#raw.on("close", listener);
	}

	get isOpen(): boolean {
		return !this.#raw.destroyed && !this.#raw.writableEnded;
	}

	/** Sends the frames, or disconnects a reader that is too far behind. */
	write({ payload, chunk }: Frames): void {
		if (!this.isOpen) return;
		if (this.#raw.writableLength > limits.readerLagBytes) {
			this.cut();
			return;
		}
		if (this.#unread++ === 0) this.#takenAt = performance.now();
		// Node would frame the chunk again for each reader, in five pieces, so it goes directly to the socket. That is not possible for an
		// answer without a socket, which waits behind another one, or for HTTP/1.0, which has no chunks.
		const { socket } = this.#raw;
		if (chunk !== undefined && this.#begun && socket !== null && this.#raw.chunkedEncoding) socket.write(chunk, this.#onTaken);
		else this.#raw.write(payload, this.#onTaken);
		this.#begun = socket !== null;
	}

	/** Settles when more may be sent: at once unless a buffer is full, otherwise once it is empty or the reader has disconnected. */
	async drained(): Promise<void> {
		const { socket } = this.#raw;
		const full = this.#raw.writableNeedDrain ? this.#raw : socket;
		if (!this.isOpen || full?.writableNeedDrain !== true) return;
		const { promise, resolve } = Promise.withResolvers<void>();
		full.on("drain", resolve);
		this.#raw.on("close", resolve);
		await promise;
		full.off("drain", resolve);
		this.#raw.off("close", resolve);
	}

	/** Holds back what is written until `end`, so that the last events and the response are one write. */
	hold(): void {
		this.#raw.socket?.cork();
	}

	end(chunk: Buffer): void {
		clearInterval(this.#timer);
		if (this.isOpen) this.#raw.end(chunk);
	}

	/** Ends the stream without the final event, so that the reader knows that it has to resume. */
	cut(): void {
		this.#raw.destroy();
	}

	readonly #onTaken = (): void => {
		this.#unread--;
		this.#takenAt = performance.now();
	};

	#beat(frames: Frames): void {
		if (this.#unread > 0 && performance.now() - this.#takenAt > STALLED_MS) this.cut();
		else this.write(frames);
	}
}

/** A reader that disconnects is not a fault; the "close" event follows. */
function ignore(): void {}
