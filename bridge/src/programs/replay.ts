import type { Sha256 } from "@xworkmate/contracts";
import type { RunStep, StepResult } from "../ports/runs/run-step.ts";
import { ResumeMismatch } from "./resume-mismatch.ts";

type Began = Extract<RunStep, { kind: "began" }>;
type Program = Extract<RunStep, { kind: "program" }>;

interface Delivery {
	readonly call: number;
	readonly clockMs: number;
	/** How many calls had begun before the delivery. */
	readonly after: number;
}

/**
 * The recorded order of a program that is run again. The program gets the recorded answers in the recorded order. Each answer is held back
 * until every call that had begun before it has begun again (docs/architecture.md#programs).
 */
export class Replay {
	readonly program: Program;
	readonly #began: readonly Began[];
	readonly #deliveries: readonly Delivery[];
	readonly #results = new Map<number, StepResult>();
	readonly #attempts = new Map<number, number>();
	readonly #delivered: ReadonlySet<number>;
	#nextBegan = 0;
	#nextDelivery = 0;

	/** @throws ResumeMismatch for steps that no program can have recorded */
	constructor(steps: readonly RunStep[]) {
		const [program, ...rest] = steps;
		if (program?.kind !== "program") throw new ResumeMismatch("The program's record does not begin with its source code.");
		this.program = program;
		const began: Began[] = [];
		const deliveries: Delivery[] = [];
		for (const step of rest) {
			if (step.kind === "began") began.push(step);
			else if (step.kind === "started") this.#attempts.set(step.call, step.attempt);
			else if (step.kind === "settled") this.#results.set(step.call, step.result);
			else if (step.kind === "delivered") deliveries.push({ call: step.call, clockMs: step.clockMs, after: began.length });
		}
		this.#began = began;
		this.#deliveries = deliveries;
		this.#delivered = new Set(deliveries.map(({ call }) => call));
	}

	/** True once the program has repeated everything that was recorded. */
	get isDone(): boolean {
		return this.#nextBegan === this.#began.length && this.#nextDelivery === this.#deliveries.length;
	}

	/** The call whose answer may be delivered now; undefined if there is none. */
	get due(): number | undefined {
		const next = this.#deliveries[this.#nextDelivery];
		return next !== undefined && next.after <= this.#nextBegan ? next.call : undefined;
	}

	/**
	 * Notes that a call begins. Returns true if the call was recorded.
	 * @throws ResumeMismatch
	 */
	begins(call: number, toolId: string, inputHash: Sha256): boolean {
		const recorded = this.#began[this.#nextBegan];
		if (recorded === undefined) return false;
		if (recorded.call !== call || recorded.toolId !== toolId || recorded.inputHash !== inputHash) {
			const isSame = recorded.call === call && recorded.toolId === toolId;
			const instead = isSame
				? "with an input other than the recorded one"
				: `but the record has call ${recorded.call} to ${recorded.toolId} there`;
			throw new ResumeMismatch(`When run again, the program made call ${call} to ${toolId}, ${instead}.`);
		}
		this.#nextBegan += 1;
		return true;
	}

	/** The recorded answer to a call. */
	resultOf(call: number): StepResult | undefined {
		return this.#results.get(call);
	}

	/** How many times the handler of a call was called, or was about to be called. */
	attemptsOf(call: number): number {
		return this.#attempts.get(call) ?? 0;
	}

	wasDelivered(call: number): boolean {
		return this.#delivered.has(call);
	}

	/** Notes that an answer is delivered again. Returns the time of the program's clock after it. */
	delivers(call: number): number {
		const next = this.#deliveries[this.#nextDelivery];
		if (next?.call !== call) throw new ResumeMismatch(`The answer to call ${call} is not the next one in the record.`);
		this.#nextDelivery += 1;
		return next.clockMs;
	}

	/** Describes the first thing that the program has not repeated. */
	missing(): ResumeMismatch {
		const next = this.#began[this.#nextBegan];
		const what =
			next === undefined
				? `wait for the answer to call ${this.#deliveries[this.#nextDelivery]?.call}`
				: `make call ${next.call} to ${next.toolId}`;
		return new ResumeMismatch(`When run again, the program did not ${what}, although it did so the first time.`);
	}
}
