import type { CheckedProgram, Position } from "./program-checker.ts";

/** One function of the frozen `tools` object that a program sees. */
export interface SandboxTool {
	/**
	 * `blocking`: the program is blocked until the answer arrives, so a forgotten await changes nothing. `concurrent`: several calls may be
	 * open at once, without a time limit. `typed`: concurrent, and never throws: an input that cannot be sent, or a call beyond the limits,
	 * is refused inside the program, without a call.
	 */
	readonly mode: "blocking" | "concurrent" | "typed";
	/**
	 * Carries out a call. `input` is what the program passed, as JSON: untrusted, of any shape, within the limits of a call. Objects in it
	 * are ordinary ones, and an own `__proto__` stays an own key. The answer reaches the program as JSON, after those that settled before it.
	 * A call has no time limit, and a run that is ended in the meantime does not wait for it. A rejection is a fault of the tool and ends the
	 * run. `call`: its number among all calls of the program, from 1.
	 */
	call(input: unknown, call: number): Promise<unknown>;
}

/** The maximum number of typed calls of a program, in total and open at once. Further calls are answered with LIMIT_EXCEEDED. */
export const typedCallBounds = { all: 1_000, open: 64 } as const;

/** Called as `tools.<group>.<name>`; both are plain identifiers. */
export type SandboxTools = Readonly<Record<string, Readonly<Record<string, SandboxTool>>>>;

export type ConsoleLevel = "log" | "info" | "warn" | "error" | "debug";

export interface SandboxLimits {
	/** Total time of the program, including waits. */
	readonly timeMs: number;
	/** How much memory the program may use. */
	readonly memoryBytes: number;
	/** The largest text that one call may pass out of the sandbox. The program's return value counts as one call. */
	readonly callBytes: number;
	/** How many object entries and array elements the input of one call may have, counted conservatively (see `measureJson`). */
	readonly callMembers: number;
}

/**
 * A program's clock. The program sees the clock move only when it gets an answer. With the same seed, the same clock and the same answers
 * in the same order, a program makes the same calls in the same order, each with the same number.
 */
export interface ProgramClock {
	/** The time at the start, in milliseconds since the epoch. */
	readonly startMs: number;
	/** An unsigned 32-bit integer. */
	readonly seed: number;
	/**
	 * Called right when the answer to this call is sent; the program gets the answers in the order of these calls. Returns the clock's new
	 * time, in milliseconds since the epoch.
	 */
	delivering(call: number): number;
	/**
	 * Called when the program can't continue until it receives its next answer. `taken`: how many answers to non-blocking calls it has
	 * received.
	 */
	waiting?(taken: number): void;
}

export interface SandboxRequest {
	readonly program: CheckedProgram;
	readonly tools: SandboxTools;
	/** One console call, already rendered, without a line ending. The program's next output waits until the promise settles. */
	readonly print: (level: ConsoleLevel, text: string) => Promise<void>;
	readonly limits: SandboxLimits;
	/** If absent, the system's clock and a random seed are used. */
	readonly time?: ProgramClock;
	/** Ends the run at once, even in the middle of a loop or a call. */
	readonly signal: AbortSignal;
}

export type SandboxOutcome =
	/** A returned string unchanged, any other value as JSON; undefined if the program returned nothing. */
	| { readonly kind: "returned"; readonly text: string | undefined }
	| { readonly kind: "threw"; readonly message: string; readonly position?: Position }
	/** The engine rejected a program that the checker had accepted; none of it ran. */
	| { readonly kind: "unreadable"; readonly message: string; readonly position?: Position }
	| { readonly kind: "limit"; readonly limit: keyof SandboxLimits }
	| { readonly kind: "aborted" }
	/** The fault is in the sandbox or a tool, not in the program. */
	| { readonly kind: "broken"; readonly cause: unknown };

/** Runs an untrusted program with access to `tools` and `console` only. */
export interface Sandbox {
	/** Prepares for a run that is about to start. Does nothing if a process is ready. */
	prepare(): void;
	/** Runs a program. Never rejects. Calls that were open at the end may settle later. */
	run(request: SandboxRequest): Promise<SandboxOutcome>;
	/** Aborts all runs and ends all processes. */
	close(): Promise<void>;
}
