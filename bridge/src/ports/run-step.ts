import type { AuthProfileId, RunId, Sha256, Timestamp, ToolErrorCode, ToolId } from "@xworkmate/contracts";
import type { ModelReply } from "./model-client.ts";

/** The answer to a program's call, as the program gets it: never thrown. */
export type StepResult =
	| { readonly ok: true; readonly value: unknown }
	| { readonly ok: false; readonly error: { readonly code: ToolErrorCode; readonly message: string } };

/**
 * One recorded fact of a program. Steps are committed with the events they belong to; together they let a later bridge run the program
 * again to the same point (docs/architecture.md#programs).
 */
export type RunStep =
	/** What the model said to one request of the assistant, whole: from here on it is not asked again. */
	| { readonly kind: "said"; readonly profileId: AuthProfileId; readonly model: string; readonly reply: ModelReply }
	/**
	 * What the model was told about its next call, or, without a call, of its answer: from here on it is not done again. `refused`: it was an
	 * answer, and does not count. `program`: how many calls the run had made after it, how many of them typed, and whether it wrote files.
	 */
	| {
			readonly kind: "told";
			readonly text: string;
			readonly isError: boolean;
			readonly refused?: true;
			readonly program?: { readonly calls: number; readonly typedCalls: number; readonly wroteFiles: boolean };
	  }
	/**
	 * A program, once it is checked: what it ran against, its clock's time at the start, and the seed of its randomness. `source`: as
	 * it was checked, so that a later bridge runs the same, whatever became of its tools. `tools`: the typed ones, by `<integration>.<method>`.
	 */
	| {
			readonly kind: "program";
			readonly sourceHash: Sha256;
			readonly registryHash: Sha256;
			readonly clockMs: number;
			readonly seed: number;
			readonly source: string;
			readonly tools: Readonly<Record<string, ToolId>>;
	  }
	/**
	 * The `call`th call of the run's programs began, counting all of their calls from 1. Of calls that block the program there are no steps: they are
	 * made again. `input`: as passed; absent: there was none.
	 */
	| {
			readonly kind: "began";
			readonly call: number;
			readonly toolId: ToolId | "time.wait";
			readonly inputHash: Sha256;
			readonly input?: unknown;
	  }
	/** Its handler is about to be called for the `attempt`th time. */
	| { readonly kind: "started"; readonly call: number; readonly attempt: number }
	/** Its answer is known. */
	| { readonly kind: "settled"; readonly call: number; readonly result: StepResult }
	/** The program got the answer; its clock moves to `clockMs`. */
	| { readonly kind: "delivered"; readonly call: number; readonly clockMs: number };

export interface PlacedStep {
	/** Gapless from 1 in its run. */
	readonly n: number;
	readonly at: Timestamp;
	readonly step: RunStep;
}

/** The steps of runs that have not ended. They are written by the log, in the commit of their events, and go with the terminal event. */
export interface StepStore {
	/** All steps of a run, in order. */
	readSteps(runId: RunId): Promise<readonly PlacedStep[]>;
	/** How many calls of a run began and have not settled. */
	countOpenCalls(runId: RunId): Promise<number>;
}
