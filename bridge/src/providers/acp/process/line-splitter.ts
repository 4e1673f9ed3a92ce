import { formatBytes } from "@xworkmate/contracts";
import { WireError } from "./agent-failure.ts";

const LINE_FEED = 0x0a;
const NOTHING: Buffer = Buffer.alloc(0);

/** Splits the bytes of a pipe into lines, without line endings. Holds one chunk and the beginning of a line, both bounded. */
export class LineSplitter {
	readonly #limit: number;
	readonly #beginning: Buffer[] = [];
	#bytes = 0;
	#chunk = NOTHING;
	#start = 0;

	/** @param limit the maximum number of bytes in a line */
	constructor(limit: number) {
		this.#limit = limit;
	}

	/** Adds a chunk. To be called once `next` has returned every line of the previous chunk. */
	push(chunk: Buffer): void {
		this.#chunk = chunk;
		this.#start = 0;
	}

	/**
	 * The next complete line; undefined if it has not arrived.
	 * @throws WireError for a line that is too long
	 */
	next(): Buffer | undefined {
		const end = this.#chunk.indexOf(LINE_FEED, this.#start);
		const rest = this.#chunk.subarray(this.#start, end < 0 ? undefined : end);
		if (this.#bytes + rest.length > this.#limit) throw new WireError(`it wrote a line of more than ${formatBytes(this.#limit)} to stdout`);
		if (end >= 0) {
			this.#start = end + 1;
			return this.#whole(rest);
		}
		this.#chunk = NOTHING;
		this.#start = 0;
		if (rest.length > 0) this.#beginning.push(rest);
		this.#bytes += rest.length;
		return undefined;
	}

	/** The bytes after the last line ending; undefined if there are none. */
	last(): Buffer | undefined {
		return this.#bytes === 0 ? undefined : this.#whole(NOTHING);
	}

	#whole(end: Buffer): Buffer {
		if (this.#bytes === 0) return end;
		const line = Buffer.concat([...this.#beginning, end]);
		this.#beginning.length = 0;
		this.#bytes = 0;
		return line;
	}
}
