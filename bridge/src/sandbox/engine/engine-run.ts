import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { EvalFlags, JSException, type JSValueHandle, QuickJS } from "quickjs-wasi";
import { typedCallBounds } from "../../ports/programs/sandbox.ts";
import { receiveFrame, sendFrame } from "../../processes/frames/blocking-pipe.ts";
import { callInputProblem } from "./call-input.ts";
import { endWithParent } from "./end-with-parent.ts";
import { type PreludeBounds, type PreludeHost, preludeSource } from "./guest-prelude.ts";
import { PROGRAM_FILE, wrapProgram } from "./guest-program.ts";
import { type AnswerMessage, MAX_OPEN_CALLS, MAX_TEXTS, type ProgramMessage, type RunMessage, type ToolFace } from "./program-messages.ts";
import { ProgramTime } from "./program-time.ts";

/** The stack size at which the engine throws, before the stack of this process overflows (see `node --stack-size`). */
const STACK_BYTES = 400 * 1024;
/** After an engine has grown beyond this, its process is not reused. */
const ROOM_BYTES = 48 * 2 ** 20;
/** If a program hangs while at least this part of its memory is in use, it has run out of memory. */
const FULL = 0.75;

/** The part of the WebAssembly API that is used. Node has it, but only TypeScript's browser library declares its types. */
declare namespace WebAssembly {
	class Module {
		constructor(bytes: Uint8Array);
	}
	interface Memory {
		readonly buffer: ArrayBuffer;
	}
	/** A trap, thrown when the engine crashes. */
	class RuntimeError extends Error {}
}

const engine = new WebAssembly.Module(readFileSync(fileURLToPath(import.meta.resolve("quickjs-wasi/quickjs.wasm"))));

/** One program in its own engine: QuickJS in WebAssembly, driven step by step, without access to anything in this process. */
export class EngineRun implements AsyncDisposable {
	readonly #vm: QuickJS;
	readonly #message: RunMessage;
	readonly #heap: () => number;
	/** How many calls that do not block are still unanswered. */
	#open = 0;
	/** Answers to concurrent calls that arrived while a blocking call was waiting. */
	readonly #early: AnswerFrame[] = [];
	#passed: JSValueHandle | undefined;
	readonly #time: ProgramTime;
	#calls = 0;
	#taken = 0;
	#ended = false;
	#spent = false;

	private constructor(vm: QuickJS, message: RunMessage, time: ProgramTime, heap: () => number) {
		this.#vm = vm;
		this.#message = message;
		this.#time = time;
		this.#heap = heap;
	}

	static async open(message: RunMessage): Promise<EngineRun> {
		let memory: WebAssembly.Memory | undefined;
		const time = new ProgramTime(message);
		const vm = await QuickJS.create({
			wasm: engine,
			memoryLimit: message.limits.memoryBytes,
			maxStackSize: STACK_BYTES,
			interruptHandler: endWithParent(),
			wasi: (its: WebAssembly.Memory) => {
				memory = its;
				return time.systemCalls(its);
			},
		});
		return new EngineRun(vm, message, time, () => memory?.buffer.byteLength ?? 0);
	}

	/** True if this process has room to run another program. */
	get leavesRoom(): boolean {
		return !this.#spent && this.#heap() <= ROOM_BYTES;
	}

	/** Runs the program and reports how it ended. */
	async toItsEnd(source: string, tools: readonly ToolFace[]): Promise<void> {
		const vm = this.#vm;
		const driver = this.#prepared(tools);
		const body = await this.#loaded(source);
		if (body === undefined) return;
		this.#say({ kind: "began" }, []);
		this.#driven(() => vm.callFunction(driver.getProp("run"), vm.undefined, body).dispose());
		const settle = driver.getProp("settle");
		while (!this.#ended && this.#open > 0) {
			const answer = this.#early.shift() ?? this.#awaited();
			this.#open -= 1;
			this.#taken += 1;
			this.#time.moveTo(answer.clockMs);
			using call = vm.newNumber(answer.call);
			using text = this.#handleOf(answer.text);
			this.#driven(() => vm.callFunction(settle, vm.undefined, call, text).dispose());
		}
		if (!this.#ended) this.#stuck();
	}

	async [Symbol.asyncDispose](): Promise<void> {
		if (!this.#spent) this.#vm.dispose();
	}

	/** Waits for the next answer, because the program can do nothing without it. */
	#awaited(): AnswerFrame {
		if (this.#message.tellsWaiting) this.#say({ kind: "waiting", taken: this.#taken }, []);
		return nextAnswer();
	}

	/** Loads the prelude, and returns its driver of the program. */
	#prepared(tools: readonly ToolFace[]): JSValueHandle {
		const vm = this.#vm;
		const host = vm.newObject();
		for (const [name, does] of Object.entries(this.#hostFunctions())) host.setProp(name, vm.newFunction(name, does));
		const { limits, seed } = this.#message;
		const bounds: PreludeBounds = {
			textUnits: limits.callBytes,
			textsPerCall: MAX_TEXTS,
			openCalls: MAX_OPEN_CALLS,
			typedCalls: typedCallBounds,
			seed,
		};
		const prelude = vm.evalCode(preludeSource, "prelude.js", EvalFlags.STRICT);
		return vm.callFunction(prelude, vm.undefined, host, vm.hostToHandle(tools), vm.hostToHandle(bounds));
	}

	/** Loads the program as a function; undefined if it does not parse. */
	async #loaded(source: string): Promise<JSValueHandle | undefined> {
		const vm = this.#vm;
		try {
			const loading = vm.evalCode(wrapProgram(source), PROGRAM_FILE, EvalFlags.TYPE_MODULE);
			vm.executePendingJobs();
			const loaded = await vm.resolvePromise(loading);
			if ("value" in loaded) return loaded.value.getProp("default");
			throw new Error("the program did not load");
		} catch (error) {
			if (!(error instanceof JSException)) throw error;
			const { name, message, stack } = error;
			this.#end({ kind: "unreadable" }, [name, message, stack ?? ""]);
			return undefined;
		}
	}

	/** Executes a step that may run the program, then all pending jobs. */
	#driven(step: () => void): void {
		try {
			step();
			this.#vm.executePendingJobs();
		} catch (error) {
			// The engine crashed. The error ends this process, and the exit reports the crash.
			if (error instanceof WebAssembly.RuntimeError) throw error;
			// A job was aborted for lack of memory. The promise that it should have settled stays pending, see `#stuck`.
			this.#spent = true;
		}
	}

	/** Ends a program that is stuck: it has neither pending jobs nor open calls. */
	#stuck(): void {
		if (this.#heap() >= this.#message.limits.memoryBytes * FULL) this.#limit("memoryBytes");
		this.#end({ kind: "threw" }, ["Error", "the program is waiting for a promise that will never settle", ""]);
	}

	#hostFunctions(): Record<keyof PreludeHost, (...values: JSValueHandle[]) => JSValueHandle> {
		const vm = this.#vm;
		return {
			print: (level, text) => {
				this.#say({ kind: "print", level: levelOf(level) }, [stringOf(text)]);
				return vm.undefined;
			},
			call: (tool, json, ...texts) => {
				const call = this.#called(tool, json, texts);
				if (call === undefined) return vm.null;
				for (let answer = nextAnswer(); ; answer = nextAnswer()) {
					if (answer.call === call) {
						this.#time.moveTo(answer.clockMs);
						return this.#passing(this.#handleOf(answer.text));
					}
					this.#early.push(answer);
				}
			},
			begin: (tool, json, ...texts) => {
				const call = this.#called(tool, json, texts);
				if (call === undefined) return vm.null;
				this.#open += 1;
				return this.#passing(vm.newNumber(call));
			},
			returned: (text) => {
				this.#end({ kind: "returned" }, text === undefined || text.isUndefined ? [] : [stringOf(text)]);
				return vm.undefined;
			},
			threw: (name, message, stack) => {
				const words = [stringOf(name), stringOf(message), stringOf(stack)];
				if (words[0] === "InternalError" && words[1] === "out of memory") this.#limit("memoryBytes");
				this.#end({ kind: "threw" }, words);
				return vm.undefined;
			},
			tooLong: () => this.#limit("callBytes"),
		};
	}

	/** Sends a call; undefined if its input is too deeply nested to be sent. */
	#called(tool: JSValueHandle | undefined, json: JSValueHandle | undefined, texts: readonly JSValueHandle[]): number | undefined {
		const input = json === undefined || json.isUndefined ? [] : [stringOf(json)];
		for (const text of input) {
			const problem = callInputProblem(Buffer.from(text), this.#message.limits.callMembers);
			if (problem === "many") this.#limit("callMembers");
			if (problem === "deep") return undefined;
		}
		const pairs = texts.map(stringOf);
		const keys = pairs.filter((_, index) => index % 2 === 0);
		this.#calls += 1;
		const head = { kind: "call", call: this.#calls, tool: stringOf(tool), hasInput: input.length > 0, keys } as const;
		this.#say(head, [...input, ...pairs.filter((_, index) => index % 2 === 1)]);
		return this.#calls;
	}

	/**
	 * Hands a result to the engine. The engine owns it once the host function has returned, so this side releases its handle at the next
	 * call.
	 */
	#passing(handle: JSValueHandle): JSValueHandle {
		this.#passed?.dispose();
		this.#passed = handle;
		return handle;
	}

	#handleOf(text: string | undefined): JSValueHandle {
		return text === undefined ? this.#vm.undefined.dup() : this.#vm.newString(text);
	}

	/** Reports the program's end. If the program sends anything after that, its process ends. */
	#end(message: ProgramMessage, texts: string[]): void {
		if (this.#ended) return;
		this.#say(message, texts);
		this.#ended = true;
	}

	#say(message: ProgramMessage, texts: string[]): void {
		// After the end, calls are no longer answered, so a blocking call would wait indefinitely.
		if (this.#ended) process.exit(0);
		const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
		if (bytes > this.#message.limits.callBytes) this.#limit("callBytes");
		sent(message, texts);
	}

	/** Reports the limit and ends the process immediately, because the program could catch any exception. */
	#limit(limit: "memoryBytes" | "callBytes" | "callMembers"): never {
		if (!this.#ended) sent({ kind: "limit", limit }, []);
		process.exit(0);
	}
}

interface AnswerFrame {
	readonly call: number;
	readonly clockMs: number;
	/** The answer as JSON; undefined if the answer is undefined. */
	readonly text: string | undefined;
}

function nextAnswer(): AnswerFrame {
	const frame = receiveFrame();
	if (frame === undefined) process.exit(0);
	const [text] = frame.texts;
	const { call, clockMs } = frame.head as AnswerMessage;
	return { call, clockMs, text: text === undefined ? undefined : Buffer.from(text).toString("utf8") };
}

/** Sends a message. Exits if the bridge is gone, because the program could read an error thrown here. */
function sent(message: ProgramMessage, texts: string[]): void {
	try {
		sendFrame(message, texts);
	} catch {
		process.exit(0);
	}
}

/** Accepts only strings, because the prelude passes nothing else, and reading any other value would run the program's code. */
function stringOf(value: JSValueHandle | undefined): string {
	if (value?.isString === true) return value.toString();
	process.stderr.write("the program tampered with the prelude's calls to its host");
	process.exit(1);
}

function levelOf(value: JSValueHandle | undefined): "log" | "info" | "warn" | "error" | "debug" {
	const level = stringOf(value);
	if (level === "info" || level === "warn" || level === "error" || level === "debug") return level;
	return "log";
}
