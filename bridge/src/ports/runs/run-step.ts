import type { AuthProfileId, GroundingProblemCode, RunId, Sha256, Timestamp, ToolErrorCode, ToolId } from "@xworkmate/contracts";
import type { ModelReply } from "../models/model-client.ts";

/** The answer to a program's call, as the program gets it: it is returned, never thrown. */
export type StepResult =
	| { readonly ok: true; readonly value: unknown }
	| { readonly ok: false; readonly error: { readonly code: ToolErrorCode; readonly message: string } };

/**
 * One recorded fact of a program. Steps are committed with the events they belong to; together they let a later bridge run the program
 * again to the same point (docs/architecture.md#programs).
 */
export type RunStep =
	/** The model's whole reply to one request from the assistant: from this step on, the request is not repeated. */
	| { readonly kind: "said"; readonly profileId: AuthProfileId; readonly model: string; readonly reply: ModelReply }
	/**
	 * The result that the model was given for its next call, or the response to its final answer. From this step on, the call is not made
	 * again. `refused`: the final answer was not accepted. `problems`: the reasons; absent if an earlier bridge refused it. `program`: how
	 * many calls the run had made by then, how many of them were typed, and whether the program wrote files.
	 */
	| {
			readonly kind: "told";
			readonly text: string;
			readonly isError: boolean;
			readonly refused?: true;
			readonly problems?: readonly GroundingProblemCode[];
			readonly program?: { readonly calls: number; readonly typedCalls: number; readonly wroteFiles: boolean };
	  }
	/**
	 * A program that has passed the check: the tools that it was checked against, its clock's time at the start, and the seed of its random
	 * numbers. `source`: the checked program, so that a later bridge runs the same one, even if its tools have changed. `tools`: the typed
	 * tools, by `<integration>.<method>`.
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
	 * Call number `call` of the run's programs began, counted from 1 over all of them. There are no steps for calls that block the program,
	 * because these are made again. `input`: as passed; absent if none was.
	 */
	| {
			readonly kind: "began";
			readonly call: number;
			readonly toolId: ToolId | "time.wait";
			readonly inputHash: Sha256;
			readonly input?: unknown;
	  }
	/** The call's handler is about to be called for the `attempt`th time. */
	| { readonly kind: "started"; readonly call: number; readonly attempt: number }
	/** The call's answer is known. */
	| { readonly kind: "settled"; readonly call: number; readonly result: StepResult }
	/** The program got the answer; its clock moves to `clockMs`. */
	| { readonly kind: "delivered"; readonly call: number; readonly clockMs: number };

export interface PlacedStep {
	/** The number of the step, without gaps, from 1 within the run. */
	readonly n: number;
	readonly at: Timestamp;
	readonly step: RunStep;
}

/**
 * Reads the steps of runs that have not ended. The log writes them in the commit of their events, and removes them with the terminal event.
 */
export interface StepStore {
	/** All steps of a run, in order. */
	readSteps(runId: RunId): Promise<readonly PlacedStep[]>;
	/** How many calls of a run have begun and not settled. */
	countOpenCalls(runId: RunId): Promise<number>;
}
