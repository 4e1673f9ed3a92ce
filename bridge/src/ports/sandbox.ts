import type { CheckedProgram, Position } from "./program-checker.ts";

/** One function of the frozen `tools` object a program sees. */
export interface SandboxTool {
	/**
	 * `blocking`: the program stands still until the answer is there, so a forgotten await changes
	 * nothing. `concurrent`: several calls may be open at once, for as long as they take.
	 */
	readonly mode: "blocking" | "concurrent";
	/**
	 * `input` is what the program passed, as JSON carries it: hostile, of any shape, within the limits of a
	 * call. Objects in it are ordinary ones; an own `__proto__` stays an own key. The answer reaches the
	 * program as JSON, after those that settled before it. It may take as long as it likes; a run that is ended
	 * meanwhile does not wait for it. A rejection is a fault of the tool and ends the run.
	 */
	call(input: unknown): Promise<unknown>;
}

/** `tools.<group>.<name>`; both are plain identifiers. */
export type SandboxTools = Readonly<Record<string, Readonly<Record<string, SandboxTool>>>>;

export type ConsoleLevel = "log" | "info" | "warn" | "error" | "debug";

export interface SandboxLimits {
	/** From the first statement to the last, waits included. */
	readonly timeMs: number;
	/** What the program may hold. */
	readonly memoryBytes: number;
	/** Largest text that one call may carry out of the sandbox; the returned value counts as one. */
	readonly callBytes: number;
	/** Object entries and array elements that the input of one call may have, counted cautiously (see `measureJson`). */
	readonly callMembers: number;
}

export interface SandboxRequest {
	readonly program: CheckedProgram;
	readonly tools: SandboxTools;
	/** One console call, already rendered, without a line end. The program's next word waits for it. */
	readonly print: (level: ConsoleLevel, text: string) => Promise<void>;
	readonly limits: SandboxLimits;
	/** Ends the run at once, in the middle of a loop or of a call. */
	readonly signal: AbortSignal;
}

export type SandboxOutcome =
	/** A string unchanged, anything else as JSON; undefined when the program returned nothing. */
	| { readonly kind: "returned"; readonly text: string | undefined }
	| { readonly kind: "threw"; readonly message: string; readonly position?: Position }
	/** The engine rejected a program that the checker had accepted; none of it ran. */
	| { readonly kind: "unreadable"; readonly message: string; readonly position?: Position }
	| { readonly kind: "limit"; readonly limit: keyof SandboxLimits }
	| { readonly kind: "aborted" }
	/** The sandbox or a tool is at fault, not the program. */
	| { readonly kind: "broken"; readonly cause: unknown };

/** Runs an untrusted program, with `tools` and `console` and nothing else. */
export interface Sandbox {
	/** Makes ready for a run that is about to come. Costs nothing when something is ready. */
	prepare(): void;
	/** Never rejects. Calls that were open when it ended may still be settling. */
	run(request: SandboxRequest): Promise<SandboxOutcome>;
	/** Ends what runs, as aborted, and every process. */
	close(): Promise<void>;
}
