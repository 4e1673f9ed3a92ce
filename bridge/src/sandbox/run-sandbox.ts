import { createRunner, type HostFunction, type HostFunctions, type RunLimits, setMaxWorkers } from "run";
import { z } from "zod";
import { outcomeOf } from "./guest-errors.ts";
import { BLOCKING, CONCURRENT, guestSource, PRINT } from "./guest-prelude.ts";
import { unpackInput, unpackText } from "./guest-values.ts";
import type { ConsoleLevel, Sandbox, SandboxLimits, SandboxOutcome, SandboxRequest } from "./sandbox.ts";

/** Any number: calls are counted, and refused, by those who offer the tools. */
const UNBOUNDED = 2 ** 31 - 1;
const MEBIBYTE = 2 ** 20;
/** Packed text is two bytes a character at most, in base64. */
const PACKED = 3;
const MAX_PROGRAM_BYTES = 4 * MEBIBYTE;

const Level = z.enum(["log", "info", "warn", "error", "debug"]) satisfies z.ZodType<ConsoleLevel>;

/**
 * The sandbox on `run`: QuickJS in WebAssembly, a fresh context for each run, on a pool of worker threads.
 * @param options.maxWorkers runs at once in this process; one more is `broken`.
 */
export function createRunSandbox(options: { readonly maxWorkers: number }): Sandbox {
	setMaxWorkers(options.maxWorkers);
	return { run: runProgram };
}

async function runProgram(request: SandboxRequest): Promise<SandboxOutcome> {
	const fault = new AbortController();
	const source = guestSource(request.program.source, request.tools);
	const blocking = hostFunctions(request, "blocking", fault);
	const concurrent = hostFunctions(request, "concurrent", fault);
	try {
		const runner = createRunner({
			syncHostFunctions: { [BLOCKING]: { ...blocking, [PRINT]: printer(request, fault) } },
			limits: runLimits(request.limits),
		});
		const result = await runner.run({
			source: source.text,
			hostFunctions: Object.keys(concurrent).length > 0 ? { [CONCURRENT]: concurrent } : {},
			abortSignal: AbortSignal.any([request.signal, fault.signal]),
		});
		if (result.status !== "completed") return { kind: "broken", cause: new Error("the sandbox paused a run") };
		return { kind: "returned", text: result.value === undefined ? undefined : unpackText(result.value) };
	} catch (error) {
		if (request.signal.aborted) return { kind: "aborted" };
		if (fault.signal.aborted) return { kind: "broken", cause: fault.signal.reason };
		return outcomeOf(error, source);
	}
}

function hostFunctions(request: SandboxRequest, mode: "blocking" | "concurrent", fault: AbortController): HostFunctions[string] {
	const functions: Record<string, HostFunction<unknown[]>> = {};
	for (const [group, members] of Object.entries(request.tools)) {
		for (const [name, tool] of Object.entries(members)) {
			if (tool.mode !== mode) continue;
			functions[`${group}_${name}`] = (rest, packed) => {
				const input = unpackInput(rest, packed);
				return faultless(tool.call(input), fault);
			};
		}
	}
	return functions;
}

function printer(request: SandboxRequest, fault: AbortController): HostFunction<unknown[]> {
	return (level, text) => {
		const line = unpackText(text);
		return faultless(request.print(Level.parse(level), line), fault);
	};
}

/** The first tool that rejects ends the run: the program would only see "Host function failed". */
async function faultless(call: Promise<unknown>, fault: AbortController): Promise<unknown> {
	try {
		return await call;
	} catch (error) {
		fault.abort(error);
		throw error;
	}
}

function runLimits(limits: SandboxLimits): RunLimits {
	const bytes = limits.callBytes * PACKED + MEBIBYTE;
	return {
		timeoutMs: limits.timeMs,
		memoryLimitBytes: limits.memoryBytes,
		maxSourceBytes: MAX_PROGRAM_BYTES,
		maxHostFunctionArgumentsBytes: bytes,
		maxResultBytes: bytes,
		maxHostFunctionOutputBytes: limits.answerBytes,
		maxBridgeRequests: UNBOUNDED,
		maxInFlightBridgeRequests: UNBOUNDED,
		maxContinuationBytes: UNBOUNDED,
	};
}
