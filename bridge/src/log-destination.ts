import { write, writeSync } from "node:fs";

/** The maximum number of bytes that may wait to be written. */
const HELD_BYTES = 256 * 1024;
const RETRY_MS = 500;
const LEVEL_WARN = 40;

interface Descriptor {
	write(bytes: Buffer, done: (error: Error | null, written: number) => void): void;
	writeSync(bytes: Buffer): number;
}

/**
 * Where log lines are written. `write` never throws and never blocks: lines are held until they can be written, up to a limit. Beyond it,
 * they are dropped and counted, and a line reports the count once writing succeeds again. (pino's own destination throws ENOSPC into the
 * code that logs, and its flush at exit retries for as long as the disk is full.)
 */
export class LogDestination {
	readonly #to: Descriptor;
	readonly #heldBytes: number;
	#lines: Buffer[] = [];
	#bytes = 0;
	#dropped = 0;
	/** True while a write is in progress or the next attempt is scheduled. */
	#busy = false;
	#failing = false;
	#waiters: (() => void)[] = [];

	constructor(to: Descriptor, heldBytes = HELD_BYTES) {
		this.#to = to;
		this.#heldBytes = heldBytes;
	}

	/** Takes one line with its line ending, from pino or from `main.ts`. */
	write(line: string): void {
		const bytes = Buffer.from(line);
		if (this.#bytes + bytes.length > this.#heldBytes) {
			this.#dropped++;
			return;
		}
		this.#hold(bytes);
		if (!this.#busy) this.#next();
	}

	/** Settles when everything has been written, or after `boundMs`. Used when the process ends. */
	async flushed(boundMs: number): Promise<void> {
		if (this.#bytes === 0) return;
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#waiters.push(resolve);
		const timer = setTimeout(resolve, boundMs);
		await promise;
		clearTimeout(timer);
		if (this.#failing) this.#lastTry();
	}

	#hold(bytes: Buffer): void {
		this.#lines.push(bytes);
		this.#bytes += bytes.length;
	}

	#next(): void {
		this.#busy = this.#bytes > 0;
		if (!this.#busy) {
			for (const resolve of this.#waiters.splice(0)) resolve();
			return;
		}
		// The lines are stored as one: if only part of it is written, the rest is written before any later line.
		const bytes = Buffer.concat(this.#lines);
		this.#lines = [bytes];
		this.#to.write(bytes, (error, written) => this.#wrote(bytes, error, written));
	}

	#wrote(bytes: Buffer, error: Error | null, written: number): void {
		if (error !== null) {
			this.#failing = true;
			setTimeout(() => this.#next(), RETRY_MS).unref();
			return;
		}
		this.#failing = false;
		this.#lines[0] = bytes.subarray(written);
		this.#bytes -= written;
		if (this.#dropped > 0 && this.#bytes < this.#heldBytes) this.#tellDropped();
		this.#next();
	}

	#tellDropped(): void {
		const lines = this.#dropped === 1 ? "1 log line was" : `${this.#dropped} log lines were`;
		const words = `${lines} dropped because too much was waiting to be written`;
		const { pid } = process;
		this.#hold(Buffer.from(`${JSON.stringify({ level: LEVEL_WARN, time: Date.now(), pid, dropped: this.#dropped, msg: words })}\n`));
		this.#dropped = 0;
	}

	/** Writes the held lines synchronously. */
	#lastTry(): void {
		try {
			this.#to.writeSync(Buffer.concat(this.#lines));
		} catch {
			// The process is ending, so the failure cannot be reported.
		}
	}
}

/** Writes log lines to standard error, or to another open descriptor. */
export function createLogDestination(descriptor: number): LogDestination {
	return new LogDestination({
		write: (bytes, done) => write(descriptor, bytes, done),
		writeSync: (bytes) => writeSync(descriptor, bytes),
	});
}
