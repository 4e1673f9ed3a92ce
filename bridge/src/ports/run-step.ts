import type { RunId, Sha256, Timestamp, ToolErrorCode, ToolId } from "@xworkmate/contracts";

/** The answer to a program's call, as the program gets it: never thrown. */
export type StepResult =
	| { readonly ok: true; readonly value: unknown }
	| { readonly ok: false; readonly error: { readonly code: ToolErrorCode; readonly message: string } };

/**
 * One recorded fact of a program. Steps are committed with the events they belong to; together they let a later bridge run the program
 * again to the same point (docs/architecture.md#programs).
 */
export type RunStep =
	/** The program, once it is checked: what it ran against, where its clock stands, and the seed of its randomness. */
	| {
			readonly kind: "program";
			readonly sourceHash: Sha256;
			readonly registryHash: Sha256;
			readonly clockMs: number;
			readonly seed: number;
	  }
	/** The `call`th call began, counting from 1. `input`: as long as it may have to be shown or called later. */
	| {
			readonly kind: "began";
			readonly call: number;
			readonly toolId: ToolId | "time.wait";
			readonly inputHash: Sha256;
			readonly input?: unknown;
	  }
	/** Its answer is known. */
	| { readonly kind: "settled"; readonly call: number; readonly result: StepResult }
	/** The program got the answer; its clock moves to `clockMs`. */
	| { readonly kind: "delivered"; readonly call: number; readonly clockMs: number }
	| { readonly kind: "ended" };

export interface PlacedStep {
	/** Gapless from 1 in its run. */
	readonly n: number;
	readonly at: Timestamp;
	readonly step: RunStep;
}

/** The steps of runs. They are written by the log, in the commit of their events. */
export interface StepStore {
	/** All steps of a run, in order. */
	readSteps(runId: RunId): Promise<readonly PlacedStep[]>;
}
