import type { ProgramEnd } from "../wire/run-program.ts";
import type { Status } from "../wire/wire.ts";

/** One way in which an input may end. What is left out may be anything. */
export interface Ending {
	/** `refused`: before it was a run. */
	readonly status: Status | "refused";
	readonly code?: string;
	/** The whole message, or a part of it. */
	readonly message?: string | RegExp;
	/** The output's text. */
	readonly text?: string | RegExp;
}

/** An input that has harmed a bridge, or tries to. */
export interface HostileInput {
	readonly name: string;
	/** A prompt for the provider `script`. */
	readonly prompt: string;
	/** It has to end as one of these. */
	readonly ends: readonly Ending[];
	/** Takes seconds of a quiet machine, so it is not part of the everyday tests. */
	readonly isSlow?: true;
}

/** What a user reads when a documented limit of a program was reached. */
const limitMessages = {
	timeMs: "The program ran longer than 10 min (timeMs).",
	memoryBytes: "The program used more than 134 MB of memory (memoryBytes).",
	toolCalls: "The program made more than 50,000 tool calls (toolCalls).",
	consoleLines: "The program wrote more than 50,000 lines to the console (consoleLines).",
	writtenBytes: "The program wrote more than 268 MB of files (writtenBytes).",
	outputBytes: "The program's console output and result are larger than 4.2 MB in total (outputBytes).",
	callBytes: "One of the program's calls passed more than 8.4 MB (callBytes).",
	callMembers: "One of the program's calls passed more than 10,000 entries (callMembers).",
	programBytes: "The program is longer than 262 kB (programBytes).",
} as const;

/** Ended by a limit, which is named with its figure. */
export function limit(name: keyof typeof limitMessages, message: string | RegExp = limitMessages[name]): Ending {
	return { status: "failed", code: "LIMIT_EXCEEDED", message };
}

export function completed(text?: string | RegExp): Ending {
	return { status: "completed", ...(text === undefined ? {} : { text }) };
}

/** The program threw, and the error says what and where. */
export function threw(message?: string | RegExp): Ending {
	return { status: "failed", code: "SCRIPT_ERROR", ...(message === undefined ? {} : { message }) };
}

/** Not run, since it is not a valid program. */
export function invalid(message?: string | RegExp): Ending {
	return { status: "failed", code: "SCRIPT_INVALID", ...(message === undefined ? {} : { message }) };
}

/** A call of a tool failed. */
export function toolFailed(): Ending {
	return { status: "failed", code: "TOOL_FAILED" };
}

/** Why an input did not end as it has to; undefined when it did. */
export function endProblem(input: HostileInput, end: ProgramEnd): string | undefined {
	if (input.ends.some((ending) => fits(ending, end))) return undefined;
	return `${input.name} ended ${described(end)} after ${Math.round(end.ms)} ms, and not as one of: ${input.ends.map(worded).join(" | ")}`;
}

function fits({ status, code, message, text }: Ending, end: ProgramEnd): boolean {
	const found = end.kind === "refused" ? refusedFacts(end) : runFacts(end);
	return (
		found.status === status && (code === undefined || found.code === code) && matches(message, found.message) && matches(text, found.text)
	);
}

interface Facts {
	readonly status: string;
	readonly code: string | undefined;
	readonly message: string;
	readonly text: string;
}

function refusedFacts({ refusal }: Extract<ProgramEnd, { kind: "refused" }>): Facts {
	return { status: "refused", code: refusal.data.code, message: refusal.message, text: "" };
}

function runFacts({ snapshot }: Extract<ProgramEnd, { kind: "snapshot" }>): Facts {
	return { status: snapshot.status, code: snapshot.code, message: snapshot.message ?? "", text: snapshot.output?.text ?? "" };
}

function matches(wanted: string | RegExp | undefined, found: string): boolean {
	return wanted === undefined || (typeof wanted === "string" ? found === wanted : wanted.test(found));
}

function described(end: ProgramEnd): string {
	const { status, code, message, text } = end.kind === "refused" ? refusedFacts(end) : runFacts(end);
	return `${status} ${code ?? ""} ${JSON.stringify(message.slice(0, 500))} with output ${JSON.stringify(text.slice(-200))}`;
}

function worded({ status, code, message, text }: Ending): string {
	return [status, code, message, text === undefined ? undefined : `output ${text}`].filter((part) => part !== undefined).join(" ");
}
