import type { ConsoleLevel, SandboxLimits, SandboxTool } from "../../ports/sandbox.ts";

/*
 * Messages between the bridge and the process of a program, as heads of frames. The process runs untrusted code, so the bridge validates
 * each of its messages as if the program had written it (`parse-program-message.ts`).
 */

/** Maximum number of texts that are passed beside the JSON of a call; further ones are part of the JSON. */
export const MAX_TEXTS = 16;
/** Maximum number of concurrent calls; a further one gets an error. */
export const MAX_OPEN_CALLS = 1000;

/** A tool as the prelude knows it. */
export type ToolFace = readonly [group: string, name: string, mode: SandboxTool["mode"]];

/** Starts a program. Texts: the program, and its tools (`ToolFace[]`) as JSON. */
export interface RunMessage {
	readonly kind: "run";
	readonly limits: Pick<SandboxLimits, "memoryBytes" | "callBytes" | "callMembers">;
	/** Where the program's clock begins, in milliseconds since the epoch. */
	readonly clockMs: number;
	/** 32 bits, of everything random. */
	readonly seed: number;
	/** Report each time that the program waits for an answer. */
	readonly tellsWaiting: boolean;
}

/** Texts: the answer as JSON, or none for undefined. */
export interface AnswerMessage {
	readonly kind: "answer";
	readonly call: number;
	/** Where the program's clock is from here on. */
	readonly clockMs: number;
}

/** The limits that the program's own process enforces. */
export type GuestLimit = Exclude<keyof SandboxLimits, "timeMs">;

export type ProgramMessage =
	/** The first statement is about to run. */
	| { readonly kind: "began" }
	| { readonly kind: "print"; readonly level: ConsoleLevel }
	/** The first text is the input as JSON, unless the call has none; the others are properties of it, called `keys`. */
	| { readonly kind: "call"; readonly call: number; readonly tool: string; readonly hasInput: boolean; readonly keys: readonly string[] }
	/** Texts: what was returned, if anything. */
	| { readonly kind: "returned" }
	/** Texts: name, message and stack of the error. */
	| { readonly kind: "threw" | "unreadable" }
	| { readonly kind: "limit"; readonly limit: GuestLimit }
	/** The program can do nothing before the next answer; it has taken so many answers to calls that were not blocking. */
	| { readonly kind: "waiting"; readonly taken: number }
	/** Ready for the next program. */
	| { readonly kind: "ready" };
