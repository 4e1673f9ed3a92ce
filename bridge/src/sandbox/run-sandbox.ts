import { createRunner, type RunLimits, setMaxWorkers } from "run";
import { outcomeOf } from "./guest-errors.ts";
import { guestSource, HOST } from "./guest-prelude.ts";
import { unpackText } from "./guest-values.ts";
import { hostFunctions } from "./host-functions.ts";
import type { Sandbox, SandboxLimits, SandboxOutcome, SandboxRequest } from "./sandbox.ts";

/** Any number: calls are counted, and refused, by those who offer the tools. */
const UNBOUNDED = 2 ** 31 - 1;
const MEBIBYTE = 2 ** 20;
/** Packed text is two bytes a character at most, in base64. */
const PACKED = 3;
const MAX_PROGRAM_BYTES = 4 * MEBIBYTE;

/**
 * The sandbox on `run`: QuickJS in WebAssembly, a fresh context for each run, on a pool of worker threads.
 * Its asynchronous host functions are not used (see the guest's prelude), so nothing can be paused yet.
 * @param options.maxWorkers runs at once in this process; one more is `broken`.
 */
export function createRunSandbox(options: { readonly maxWorkers: number }): Sandbox {
	setMaxWorkers(options.maxWorkers);
	return { run: runProgram };
}

async function runProgram(request: SandboxRequest): Promise<SandboxOutcome> {
	const fault = new AbortController();
	const source = guestSource(request.program.source, request.tools);
	try {
		const runner = createRunner({ syncHostFunctions: { [HOST]: hostFunctions(request, fault) }, limits: runLimits(request.limits) });
		const result = await runner.run({ source: source.text, abortSignal: AbortSignal.any([request.signal, fault.signal]) });
		if (result.status !== "completed") return { kind: "broken", cause: new Error("the sandbox paused a run") };
		return { kind: "returned", text: result.value === undefined ? undefined : unpackText(result.value) };
	} catch (error) {
		if (request.signal.aborted) return { kind: "aborted" };
		if (fault.signal.aborted) return { kind: "broken", cause: fault.signal.reason };
		return outcomeOf(error, source);
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
	};
}
