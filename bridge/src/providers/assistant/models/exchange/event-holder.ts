const FIRST_BYTES = 4_096;
/** The length in bytes of the longest sequence that ends an event. */
const END_BYTES = 4;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/**
 * Holds back the bytes of a stream until they contain the end of an event. With each chunk, the SDKs copy and search all of an unfinished
 * event again, so a server that sends a long event byte by byte would keep the bridge busy. Here the buffer doubles when it is full, so the
 * copying stays proportional to the event's length.
 */
export class EventHolder {
	#held = Buffer.allocUnsafe(FIRST_BYTES);
	#length = 0;

	/** Adds a chunk. Returns everything that is held if an event ends in the chunk; otherwise undefined. */
	take(chunk: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
		const from = Math.max(this.#length - (END_BYTES - 1), 0);
		this.#append(chunk);
		return this.#endsAfter(from) ? this.rest() : undefined;
	}

	/** Returns everything that is still held. */
	rest(): Uint8Array<ArrayBuffer> {
		const held = new Uint8Array(this.#held.subarray(0, this.#length));
		this.#length = 0;
		return held;
	}

	#append(chunk: Uint8Array): void {
		const length = this.#length + chunk.length;
		if (length > this.#held.length) {
			const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#held.length));
			larger.set(this.#held.subarray(0, this.#length));
			this.#held = larger;
		}
		this.#held.set(chunk, this.#length);
		this.#length = length;
	}

	/** True if two line endings follow each other: `\n\n`, `\r\r` or `\r\n\r\n`. */
	#endsAfter(from: number): boolean {
		const bytes = this.#held;
		for (let at = from; at + 1 < this.#length; at++) {
			const one = bytes[at];
			if (one !== LINE_FEED && one !== RETURN) continue;
			if (bytes[at + 1] === one) return true;
			if (one === RETURN && bytes[at + 1] === LINE_FEED && at + 3 < this.#length && bytes[at + 2] === RETURN && bytes[at + 3] === LINE_FEED)
				return true;
		}
		return false;
	}
}
