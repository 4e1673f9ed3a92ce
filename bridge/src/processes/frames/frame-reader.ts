import { decodeFrame, FRAME_PREFIX_BYTES, type Frame, FrameError } from "./frame.ts";

export interface FrameBounds {
	/** Maximum size of one frame. */
	readonly bytes: number;
	/** Maximum size of a frame's head. */
	readonly headBytes: number;
}

/**
 * Assembles frames from the chunks of a pipe. Keeps all pushed bytes until they are taken, so the caller of `push` has to pause the pipe.
 */
export class FrameReader {
	readonly #bounds: FrameBounds;
	#chunks: Buffer[] = [];
	#held = 0;

	constructor(bounds: FrameBounds) {
		this.#bounds = bounds;
	}

	/** How many bytes have been pushed but not yet taken. */
	get held(): number {
		return this.#held;
	}

	push(chunk: Buffer): void {
		this.#chunks.push(chunk);
		this.#held += chunk.length;
	}

	/**
	 * Size of the next frame, as soon as its header has arrived.
	 * @throws FrameError if it is larger than allowed
	 */
	get announced(): number | undefined {
		if (this.#held < FRAME_PREFIX_BYTES) return undefined;
		const [first] = this.#chunks;
		const bytes = (first !== undefined && first.length >= FRAME_PREFIX_BYTES ? first : this.#joined()).readUInt32LE(0);
		if (bytes > this.#bounds.bytes) throw new FrameError(`a frame of ${bytes} bytes exceeds the limit of ${this.#bounds.bytes}`);
		return bytes;
	}

	/**
	 * The next complete frame; undefined if it has not arrived.
	 * @throws FrameError
	 */
	next(): Frame | undefined {
		const bytes = this.announced;
		if (bytes === undefined || this.#held < FRAME_PREFIX_BYTES + bytes) return undefined;
		const all = this.#joined();
		const end = FRAME_PREFIX_BYTES + bytes;
		this.#chunks = end === all.length ? [] : [all.subarray(end)];
		this.#held = all.length - end;
		return decodeFrame(all.subarray(FRAME_PREFIX_BYTES, end), this.#bounds.headBytes);
	}

	#joined(): Buffer {
		const [first, ...others] = this.#chunks;
		if (first !== undefined && others.length === 0) return first;
		const all = Buffer.concat(this.#chunks);
		this.#chunks = [all];
		return all;
	}
}
