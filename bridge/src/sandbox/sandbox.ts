import type { CheckedProgram, Position } from "./program-checker.ts";

/** One function of the frozen `tools` object a program sees. */
export interface SandboxTool {
	/**
	 * `blocking`: the program stands still until the answer is there, so a forgotten await changes
	 * nothing. `concurrent`: several calls may be open at once.
	 */
	readonly mode: "blocking" | "concurrent";
	/**
	 * `input` is what the program passed: hostile, of any shape. The answer reaches the program as
	 * data. A rejection is a fault of the tool and ends the run.
	 */
	call(input: unknown): Promise<unknown>;
}

/** `tools.<group>.<name>`; both are plain identifiers. */
export type SandboxTools = Readonly<Record<string, Readonly<Record<string, SandboxTool>>>>;

export type ConsoleLevel = "log" | "info" | "warn" | "error" | "debug";

export interface SandboxLimits {
	readonly timeMs: number;
	readonly memoryBytes: number;
	/** Largest text that one call may carry out of the sandbox; the returned value counts as one. */
	readonly callBytes: number;
	/** Largest answer that one call may carry in. */
	readonly answerBytes: number;
}

export interface SandboxRequest {
	readonly program: CheckedProgram;
	readonly tools: SandboxTools;
	/** One console call, already rendered, without a line end. */
	readonly print: (level: ConsoleLevel, text: string) => Promise<void>;
	readonly limits: SandboxLimits;
	/** Ends the run at once, in the middle of a loop or of a call. */
	readonly signal: AbortSignal;
}

export type SandboxOutcome =
	/** A string as it is, anything else as JSON; undefined when the program returned nothing. */
	| { readonly kind: "returned"; readonly text: string | undefined }
	| { readonly kind: "threw"; readonly message: string; readonly position?: Position }
	| { readonly kind: "limit"; readonly limit: keyof SandboxLimits }
	| { readonly kind: "aborted" }
	/** The sandbox or a tool is at fault, not the program. */
	| { readonly kind: "broken"; readonly cause: unknown };

/** Runs a program that nobody trusts, with `tools` and `console` and nothing else. */
export interface Sandbox {
	/** Never rejects. Calls that were open when it ended may still be settling. */
	run(request: SandboxRequest): Promise<SandboxOutcome>;
}
