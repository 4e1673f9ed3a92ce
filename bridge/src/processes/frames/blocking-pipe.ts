import { readSync, writeSync } from "node:fs";
import { decodeFrame, encodeFrame, FRAME_PREFIX_BYTES, type Frame } from "./frame.ts";

const STDIN = 0;
const STDOUT = 1;
const ANY_HEAD = 2 ** 20;
const TRY_AGAIN_MS = 1;
const AHEAD_BYTES = 64 * 1024;

/** Reads the next frame from standard input. Waits without a time limit; undefined once the sender has closed its end. */
export function receiveFrame(): Frame | undefined {
	const prefix = received(FRAME_PREFIX_BYTES);
	const bytes = prefix === undefined ? undefined : received(prefix.readUInt32LE(0));
	return bytes === undefined ? undefined : decodeFrame(bytes, ANY_HEAD);
}

/** Writes a frame to standard output. Returns once the other side, or the pipe, has accepted all of it. */
export function sendFrame(head: unknown, texts: readonly string[] = []): void {
	const frame = encodeFrame(head, texts);
	for (let at = 0; at < frame.length; ) at += patiently(() => writeSync(STDOUT, frame, at));
}

/** Bytes that a read returned beyond those requested: most frames arrive in a single read. */
const ahead = { buffer: Buffer.alloc(AHEAD_BYTES), from: 0, to: 0 };

function received(bytes: number): Buffer | undefined {
	if (ahead.to === ahead.from && bytes < AHEAD_BYTES) {
		ahead.from = 0;
		ahead.to = patiently(() => readSync(STDIN, ahead.buffer, 0, AHEAD_BYTES, null));
	}
	const buffer = Buffer.allocUnsafe(bytes);
	let at = ahead.buffer.copy(buffer, 0, ahead.from, Math.min(ahead.to, ahead.from + bytes));
	ahead.from += at;
	while (at < bytes) {
		const read = patiently(() => readSync(STDIN, buffer, at, bytes - at, null));
		if (read === 0) return undefined;
		at += read;
	}
	return buffer;
}

/** Retries on EAGAIN, which a pipe that another process made non-blocking returns instead of waiting. */
function patiently(attempt: () => number): number {
	for (;;) {
		try {
			return attempt();
		} catch (error) {
			if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TRY_AGAIN_MS);
		}
	}
}
