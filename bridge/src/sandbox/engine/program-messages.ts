import type { ConsoleLevel, SandboxLimits, SandboxTool } from "../../ports/programs/sandbox.ts";

/*
 * Messages between the bridge and the process of a program, as heads of frames. The process runs untrusted code, so the bridge validates
 * each of its messages as if the program had written it (`parse-program-message.ts`).
 */

/** The maximum number of texts that are passed separately from the JSON of a call. Any more are part of the JSON. */
export const MAX_TEXTS = 16;
/** The maximum number of concurrent calls. Any further call gets an error. */
export const MAX_OPEN_CALLS = 1000;

/** A tool as the prelude sees it. */
export type ToolFace = readonly [group: string, name: string, mode: SandboxTool["mode"]];

/** Starts a program. Texts: the program, and its tools (`ToolFace[]`) as JSON. */
export interface RunMessage {
	readonly kind: "run";
	readonly limits: Pick<SandboxLimits, "memoryBytes" | "callBytes" | "callMembers">;
	/** The initial time of the program's clock, in milliseconds since the epoch. */
	readonly clockMs: number;
	/** The 32-bit seed for all random values. */
	readonly seed: number;
	/** True: report each time that the program waits for an answer. */
	readonly tellsWaiting: boolean;
}

/** Texts: the answer as JSON, or none for undefined. */
export interface AnswerMessage {
	readonly kind: "answer";
	readonly call: number;
	/** The time of the program's clock from this answer on, in milliseconds since the epoch. */
	readonly clockMs: number;
}

/** The limits that the program's own process enforces. */
export type GuestLimit = Exclude<keyof SandboxLimits, "timeMs">;

export type ProgramMessage =
	/** The first statement is about to run. */
	| { readonly kind: "began" }
	| { readonly kind: "print"; readonly level: ConsoleLevel }
	/** The first text is the input as JSON, unless the call has none. The others are properties of the input, whose names are in `keys`. */
	| { readonly kind: "call"; readonly call: number; readonly tool: string; readonly hasInput: boolean; readonly keys: readonly string[] }
	/** Texts: what was returned, if anything. */
	| { readonly kind: "returned" }
	/** Texts: name, message and stack of the error. */
	| { readonly kind: "threw" | "unreadable" }
	| { readonly kind: "limit"; readonly limit: GuestLimit }
	/** The program can do nothing until it gets the next answer. `taken`: how many answers to non-blocking calls the program has received. */
	| { readonly kind: "waiting"; readonly taken: number }
	/** The process is ready for the next program. */
	| { readonly kind: "ready" };
