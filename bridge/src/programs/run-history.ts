import type { Approval, Receipt, ToolCallId } from "@xworkmate/contracts";
import type { ProgramLog } from "../ports/programs/program-log.ts";
import type { LoggedEvent } from "../ports/runs/run-event.ts";
import type { RunStep } from "../ports/runs/run-step.ts";
import { SaidBefore } from "./said-before.ts";

const ends: ReadonlySet<Receipt["type"]> = new Set(["tool.call.denied", "tool.call.failed", "tool.call.unknown"]);

/** Everything in the log about a turn that continues: its steps, what it has said, and how its calls were decided or ended. */
export class RunHistory implements Disposable {
	readonly steps: readonly RunStep[];
	readonly said = new SaidBefore();
	#isAnswered = false;
	readonly #ends = new Map<ToolCallId, Receipt>();
	readonly #approvals = new Map<ToolCallId, Approval>();
	readonly #unsubscribe: () => void;

	private constructor(steps: readonly RunStep[], log: ProgramLog) {
		this.steps = steps;
		// Decisions made while the record is being read count too.
		this.#unsubscribe = log.onCommitted((events) => this.#note(events));
	}

	/** Reads the record of a turn; undefined for a turn that is just beginning. */
	static async read(log: ProgramLog): Promise<RunHistory | undefined> {
		const recorded = await log.recorded();
		if (recorded === undefined) return undefined;
		const history = new RunHistory(
			recorded.steps.map(({ step }) => step),
			log,
		);
		for await (const events of recorded.events) {
			history.said.add(events);
			history.#note(events);
		}
		return history;
	}

	[Symbol.dispose](): void {
		this.#unsubscribe();
	}

	/** True if the answer was checked and the result is in the log. */
	get isAnswered(): boolean {
		return this.#isAnswered;
	}

	/** The receipt of a call that was denied, failed, or has an unknown outcome; undefined for any other call. */
	endOf(toolCallId: ToolCallId): Receipt | undefined {
		return this.#ends.get(toolCallId);
	}

	/** The last request for approval of a call. */
	approvalOf(toolCallId: ToolCallId): Approval | undefined {
		return this.#approvals.get(toolCallId);
	}

	#note(events: readonly LoggedEvent[]): void {
		for (const { event } of events) {
			if (event.type === "answered") this.#isAnswered = true;
			else if (event.type === "approval" && event.record.toolCallId !== undefined) {
				this.#approvals.set(event.record.toolCallId, event.record);
			} else if (event.type === "receipt" && event.receipt.toolCallId !== undefined && ends.has(event.receipt.type)) {
				this.#ends.set(event.receipt.toolCallId, event.receipt);
			}
		}
	}
}
