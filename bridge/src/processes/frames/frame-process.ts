import type { Readable } from "node:stream";
import type { ProcessLedger } from "../../ports/agents/process-ledger.ts";
import { type ExitStatus, ProcessGroup, type ProcessGroupCommand } from "../group/process-group.ts";
import { encodeFrame, type Frame } from "./frame.ts";
import { FrameReader } from "./frame-reader.ts";
import type { Inflow } from "./inflow.ts";

/** Frames larger than this wait until the memory that all processes share for large frames has room. */
const LARGE_BYTES = 256 * 1024;
const MAX_FRAME_BYTES = 32 * 2 ** 20;
const MAX_HEAD_BYTES = 16 * 1024;
/** Bytes that may arrive while a frame is being handled, before the sender has to wait. */
const HELD_BYTES = 64 * 1024;
/**
 * How many characters of stderr are kept from its beginning, where a runtime names the error before it prints its stacks, and how many from
 * its end.
 */
const ERRORS_KEPT = 4096;
export interface FrameListener {
	/** Handles a frame. The next frame is read once the promise has settled; a rejection ends the process. */
	heard(frame: Frame): Promise<void> | undefined;
	/** Called once: when all output of the ended process has been delivered, or when its frames can't be read. Not called after `kill`. */
	gone(why: ProcessEnd): void;
}

export interface ProcessEnd {
	readonly status: ExitStatus | undefined;
	/** The beginning and the end of what the process wrote to standard error. */
	readonly errors: string;
	/** Why the frames of the process could not be read. */
	readonly cause?: unknown;
}

export interface FrameProcessDeps {
	readonly ledger: ProcessLedger;
	readonly inflow: Inflow;
}

/** A child process that exchanges frames over its standard input and output. Its whole process group is ended together. */
export class FrameProcess {
	readonly #group: ProcessGroup;
	readonly #output: Readable;
	readonly #inflow: Inflow;
	readonly #reader: FrameReader;
	#listener: FrameListener | undefined;
	#end: ProcessEnd | undefined;
	#firstErrors = "";
	#lastErrors = "";
	#reading = false;
	#hearing = false;
	#killing: Promise<void> | undefined;

	private constructor(group: ProcessGroup, inflow: Inflow, frameBytes: number) {
		this.#reader = new FrameReader({ bytes: frameBytes, headBytes: MAX_HEAD_BYTES });
		this.#group = group;
		this.#output = group.output;
		this.#inflow = inflow;
		group.errors.on("data", (chunk: Buffer) => {
			const text = chunk.toString("utf8");
			const room = ERRORS_KEPT - this.#firstErrors.length;
			this.#firstErrors += text.slice(0, room);
			this.#lastErrors = (this.#lastErrors + text.slice(room)).slice(-ERRORS_KEPT);
		});
		this.#output.on("data", (chunk: Buffer) => {
			this.#reader.push(chunk);
			// The listener is asynchronous: until it is done, further data stays in the pipe, which blocks the writer.
			if (this.#hearing && this.#reader.held > HELD_BYTES) this.#output.pause();
			void this.#read();
		});
		void group.drained.then((status) => this.#over({ status, errors: this.#errors() }));
	}

	/**
	 * Starts a process.
	 * @param frameBytes a larger frame ends the process
	 * @throws SpawnError, and errors of the ledger
	 */
	static async start(
		command: ProcessGroupCommand,
		{ ledger, inflow }: FrameProcessDeps,
		frameBytes = MAX_FRAME_BYTES,
	): Promise<FrameProcess> {
		await inTurn();
		const group = await ProcessGroup.start({ ...command, isBackground: true }, ledger);
		return new FrameProcess(group, inflow, frameBytes);
	}

	get pid(): number {
		return this.#group.pid;
	}

	/** False as soon as the process is known to be ending. */
	get alive(): boolean {
		return this.#end === undefined && this.#killing === undefined && this.#group.running;
	}

	/** Sets the listener for all frames from the next one on. */
	listen(listener: FrameListener): void {
		this.#listener = listener;
		if (this.#end !== undefined) listener.gone(this.#end);
	}

	send(head: unknown, texts: readonly string[] = []): void {
		if (this.alive) this.#group.input.write(encodeFrame(head, texts));
	}

	/** Kills the process, and everything that it started, at once. Resolves when all of them are gone, or can't be ended or found. */
	kill(): Promise<void> {
		this.#listener = undefined;
		this.#group.discardOutput();
		this.#killing ??= this.#group.kill().then(() => undefined);
		return this.#killing;
	}

	async #read(): Promise<void> {
		if (this.#reading) return;
		this.#reading = true;
		try {
			while (await this.#readNext());
		} catch (cause) {
			this.#over({ status: undefined, errors: this.#errors(), cause });
		} finally {
			this.#reading = false;
		}
	}

	/** Reads the next frame; false if it has not arrived completely, or if the process is being killed. */
	async #readNext(): Promise<boolean> {
		const announced = this.#reader.announced;
		if (announced === undefined) return false;
		using _admitted = announced > LARGE_BYTES ? await this.#paused(this.#inflow.admit(announced)) : undefined;
		const frame = announced > LARGE_BYTES ? await this.#whole() : this.#reader.next();
		if (frame === undefined || this.#killing !== undefined) return false;
		await this.#heard(frame);
		return true;
	}

	async #heard(frame: Frame): Promise<void> {
		const hearing = this.#listener?.heard(frame);
		if (hearing === undefined) return;
		this.#hearing = true;
		try {
			await hearing;
		} finally {
			this.#hearing = false;
			if (this.#output.isPaused()) this.#output.resume();
		}
	}

	/** A large frame, once all of it has arrived; undefined if the process ends first. */
	async #whole(): Promise<Frame | undefined> {
		const output = this.#output;
		for (;;) {
			const frame = this.#reader.next();
			if (frame !== undefined || output.readableEnded || output.destroyed) return frame;
			await new Promise<void>((resolve) => {
				const settle = () => {
					for (const event of ["data", "end", "close"]) output.off(event, settle);
					resolve();
				};
				for (const event of ["data", "end", "close"]) output.on(event, settle);
			});
		}
	}

	async #paused<T>(work: Promise<T>): Promise<T> {
		this.#output.pause();
		try {
			return await work;
		} finally {
			this.#output.resume();
		}
	}

	#errors(): string {
		return this.#firstErrors + this.#lastErrors;
	}

	#over(end: ProcessEnd): void {
		if (this.#end !== undefined || this.#killing !== undefined) return;
		this.#end = end;
		this.#listener?.gone(end);
	}
}

let lastStart = Promise.resolve();

/** Starting a process blocks the event loop for milliseconds, so processes are started one after another, with other work in between. */
function inTurn(): Promise<void> {
	lastStart = lastStart.then(() => new Promise((resolve) => setImmediate(resolve)));
	return lastStart;
}
