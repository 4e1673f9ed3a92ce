import { randomInt } from "node:crypto";
import type { SandboxOutcome, SandboxRequest, SandboxTool } from "../../ports/programs/sandbox.ts";
import type { Frame } from "../../processes/frames/frame.ts";
import type { FrameListener, FrameProcess, ProcessEnd } from "../../processes/frames/frame-process.ts";
import { callInputProblem } from "./call-input.ts";
import { positionIn } from "./guest-program.ts";
import { parseProgramMessage } from "./parse-program-message.ts";
import type { AnswerMessage, ProgramMessage, RunMessage, ToolFace } from "./program-messages.ts";

const MAX_MESSAGE = 5000;
/** Time limit for starting a process and an engine in it, which may take seconds on a busy machine. */
const BEGIN_MS = 30_000;

/** The bridge's side of a program's run in a process: answers its calls and receives its outcome. */
export class ProgramRun implements FrameListener {
	readonly #process: FrameProcess;
	readonly #request: SandboxRequest;
	readonly #tools: ReadonlyMap<string, SandboxTool>;
	readonly #outcome = Promise.withResolvers<SandboxOutcome>();
	readonly #ready = Promise.withResolvers<boolean>();
	#clock: NodeJS.Timeout | undefined;
	#calls = 0;
	#isOver = false;

	constructor(process: FrameProcess, request: SandboxRequest) {
		this.#process = process;
		this.#request = request;
		this.#tools = new Map(toolsOf(request).map(([group, name, tool]) => [`${group}_${name}`, tool]));
	}

	/** Never rejects. */
	async outcome(): Promise<SandboxOutcome> {
		const { limits, program, signal } = this.#request;
		const abort = (): void => this.#end({ kind: "aborted" });
		this.#clock = setTimeout(() => this.#end({ kind: "broken", cause: new Error("the program did not begin in time") }), BEGIN_MS);
		signal.addEventListener("abort", abort);
		if (signal.aborted) abort();
		this.#process.listen(this);
		const tools = toolsOf(this.#request).map(([group, name, { mode }]): ToolFace => [group, name, mode]);
		const { startMs: clockMs, seed, waiting } = this.#request.time ?? { startMs: Date.now(), seed: randomInt(2 ** 32) };
		const message: RunMessage = { kind: "run", limits, clockMs, seed, tellsWaiting: waiting !== undefined };
		this.#process.send(message, [program.source, JSON.stringify(tools)]);
		try {
			return await this.#outcome.promise;
		} finally {
			clearTimeout(this.#clock);
			signal.removeEventListener("abort", abort);
		}
	}

	/** Whether its process can run another program; settles when the process reports it or ends. */
	get ready(): Promise<boolean> {
		return this.#ready.promise;
	}

	heard(frame: Frame): Promise<void> | undefined {
		let message: ProgramMessage;
		try {
			message = parseProgramMessage(frame);
		} catch (cause) {
			return this.#end({ kind: "broken", cause });
		}
		if (this.#isOver && message.kind !== "ready") return undefined;
		const texts = frame.texts;
		if (texts.reduce((sum, text) => sum + text.length, 0) > this.#request.limits.callBytes) {
			return this.#end({ kind: "limit", limit: "callBytes" });
		}
		switch (message.kind) {
			case "print":
				return this.#faultless(this.#request.print(message.level, textOf(texts[0])));
			case "call":
				return this.#called(message, texts);
			case "returned":
				return this.#end({ kind: "returned", text: texts[0] === undefined ? undefined : textOf(texts[0]) });
			case "threw":
			case "unreadable":
				return this.#end(this.#thrown(message.kind, texts));
			case "limit":
				return this.#end(message);
			case "waiting":
				this.#request.time?.waiting?.(message.taken);
				return undefined;
			case "began":
				clearTimeout(this.#clock);
				this.#clock = setTimeout(() => this.#end({ kind: "limit", limit: "timeMs" }), this.#request.limits.timeMs);
				return undefined;
			case "ready":
				this.#ready.resolve(this.#isOver);
				return undefined;
		}
	}

	gone(end: ProcessEnd): void {
		this.#ready.resolve(false);
		if (/out of memory/i.test(end.errors)) {
			this.#end({ kind: "limit", limit: "memoryBytes" });
			return;
		}
		const { code, signal } = end.status ?? { code: null, signal: null };
		const how = signal ?? (code === null ? "its message could not be read" : `exit code ${code}`);
		this.#end({ kind: "broken", cause: new Error(`the program's process ended: ${how}. ${end.errors}`, { cause: end.cause }) });
	}

	/** Handles a call. A blocking call pauses the program, so the call is complete once it is answered. */
	#called(message: Extract<ProgramMessage, { kind: "call" }>, texts: readonly Uint8Array[]): Promise<void> | undefined {
		this.#calls += 1;
		const tool = this.#tools.get(message.tool);
		if (tool === undefined) return this.#end({ kind: "broken", cause: new Error("a call to a tool that does not exist") });
		const [json = new Uint8Array()] = texts;
		if (message.hasInput && callInputProblem(json, this.#request.limits.callMembers) !== undefined) {
			return this.#end({ kind: "limit", limit: "callMembers" });
		}
		let input: unknown;
		try {
			input = inputOf(message, texts);
		} catch (cause) {
			return this.#end({ kind: "broken", cause });
		}
		const answered = this.#faultless(this.#answered({ id: message.call, number: this.#calls }, tool, input));
		return tool.mode === "blocking" ? answered : undefined;
	}

	async #answered(call: { readonly id: number; readonly number: number }, tool: SandboxTool, input: unknown): Promise<void> {
		const answer = JSON.stringify(await tool.call(input, call.number));
		if (this.#isOver) return;
		if (answer !== undefined && Buffer.byteLength(answer) > this.#request.limits.callBytes) {
			return this.#end({ kind: "limit", limit: "callBytes" });
		}
		const clockMs = this.#request.time?.delivering(call.number) ?? Date.now();
		const message: AnswerMessage = { kind: "answer", call: call.id, clockMs };
		this.#process.send(message, answer === undefined ? [] : [answer]);
	}

	/** Ends the run as broken if a tool or printer fails, because that is not the program's fault. */
	async #faultless(work: Promise<void>): Promise<void> {
		try {
			await work;
		} catch (cause) {
			this.#end({ kind: "broken", cause });
		}
	}

	#thrown(kind: "threw" | "unreadable", [name, message, stack]: readonly Uint8Array[]): SandboxOutcome {
		const words = `${textOf(name)}: ${textOf(message)}`.slice(0, MAX_MESSAGE).toWellFormed();
		const position = positionIn(textOf(stack), this.#request.program.source);
		return position === undefined ? { kind, message: words } : { kind, message: words, position };
	}

	/** Records the end. Only the first one counts. */
	#end(outcome: SandboxOutcome): undefined {
		this.#isOver = true;
		this.#outcome.resolve(outcome);
	}
}

function toolsOf(request: SandboxRequest): [group: string, name: string, tool: SandboxTool][] {
	return Object.entries(request.tools).flatMap(([group, members]) =>
		Object.entries(members).map(([name, tool]): [string, string, SandboxTool] => [group, name, tool]),
	);
}

/** @throws SyntaxError, TypeError if the process did not send what the prelude sends */
function inputOf(message: Extract<ProgramMessage, { kind: "call" }>, texts: readonly Uint8Array[]): unknown {
	const [json, ...beside] = message.hasInput ? texts : [undefined, ...texts];
	const input: unknown = json === undefined ? undefined : JSON.parse(textOf(json));
	if (message.keys.length === 0) return input;
	if (typeof input !== "object" || input === null) throw new TypeError("texts sent with an input that is not an object");
	for (const [index, key] of message.keys.entries()) {
		// Defined rather than assigned, because a key may be `__proto__`.
		Object.defineProperty(input, key, { value: textOf(beside[index]), enumerable: true, writable: true, configurable: true });
	}
	return input;
}

function textOf(bytes: Uint8Array | undefined): string {
	return bytes === undefined ? "" : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
