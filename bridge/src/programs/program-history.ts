import type { Approval, Receipt, ToolCallId } from "@xworkmate/contracts";
import type { CheckedProgram } from "../ports/programs/program-checker.ts";
import type { ProgramLog } from "../ports/programs/program-log.ts";
import type { RunStep } from "../ports/runs/run-step.ts";
import { Replay } from "./replay.ts";
import { RunHistory } from "./run-history.ts";
import type { SaidBefore } from "./said-before.ts";

/** Everything in the log about a program that is run again. */
export class ProgramHistory implements Disposable {
	readonly replay: Replay;
	readonly #run: RunHistory;

	/**
	 * `steps`: the steps of this program only.
	 * @throws ResumeMismatch
	 */
	constructor(run: RunHistory, steps: readonly RunStep[]) {
		this.#run = run;
		this.replay = new Replay(steps);
	}

	/**
	 * Reads the record of a program that is run again. Undefined for a program that has not called an integration.
	 * @throws ResumeMismatch
	 */
	static async read(log: ProgramLog): Promise<ProgramHistory | undefined> {
		const run = await RunHistory.read(log);
		if (run !== undefined && run.steps.length > 0) return new ProgramHistory(run, run.steps);
		run?.[Symbol.dispose]();
		return undefined;
	}

	[Symbol.dispose](): void {
		this.#run[Symbol.dispose]();
	}

	/** The program as it was checked. */
	get program(): CheckedProgram {
		return { source: this.replay.program.source } as CheckedProgram;
	}

	get said(): SaidBefore {
		return this.#run.said;
	}

	/** The receipt of a call that was denied, failed, or has an unknown outcome; undefined for any other call. */
	endOf(toolCallId: ToolCallId): Receipt | undefined {
		return this.#run.endOf(toolCallId);
	}

	/** The last request for approval of a call. */
	approvalOf(toolCallId: ToolCallId): Approval | undefined {
		return this.#run.approvalOf(toolCallId);
	}
}
