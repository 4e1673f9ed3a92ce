import { Readable } from "node:stream";

const CHUNK_BYTES = 64 * 1024;

export interface MessageStreamOptions {
	readonly bytes: Uint8Array;
	/** Awaited before the first byte is read. */
	readonly handOver: () => Promise<void>;
	/** Called right before the stream ends: from then on, the server may have the whole message. */
	readonly onGiven: () => void;
}

/**
 * A message that is read only when the server waits for it: reading it is the hand-over. A destroyed stream yields no more bytes, and does
 * not end.
 */
export class MessageStream extends Readable {
	readonly #options: MessageStreamOptions;
	#handedOver: Promise<void> | undefined;
	#at = 0;

	constructor(options: MessageStreamOptions) {
		super();
		this.#options = options;
	}

	/** The hand-over, once it has been requested. */
	get handedOver(): Promise<void> | undefined {
		return this.#handedOver;
	}

	override _read(): void {
		if (this.#handedOver !== undefined) {
			this.#give();
			return;
		}
		this.#handedOver = this.#options.handOver();
		this.#handedOver.then(
			() => this.#give(),
			(error: unknown) => this.destroy(error instanceof Error ? error : new Error("the message must not be handed over", { cause: error })),
		);
	}

	#give(): void {
		if (this.destroyed) return;
		const { bytes, onGiven } = this.#options;
		const chunk = bytes.subarray(this.#at, this.#at + CHUNK_BYTES);
		this.#at += chunk.byteLength;
		if (chunk.byteLength > 0) {
			this.push(chunk);
			return;
		}
		onGiven();
		this.push(null);
	}
}
