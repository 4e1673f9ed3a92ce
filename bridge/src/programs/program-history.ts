import type { Approval, Receipt, ToolCallId } from "@xworkmate/contracts";
import type { CheckedProgram } from "../ports/program-checker.ts";
import type { ProgramLog } from "../ports/program-log.ts";
import type { LoggedEvent } from "../ports/run-event.ts";
import { Replay } from "./replay.ts";
import { SaidBefore } from "./said-before.ts";

const ends: ReadonlySet<Receipt["type"]> = new Set(["tool.call.denied", "tool.call.failed", "tool.call.unknown"]);

/** Everything the log has of a program that is run again. */
export class ProgramHistory implements Disposable {
	readonly replay: Replay;
	readonly said = new SaidBefore();
	readonly #ends = new Map<ToolCallId, Receipt>();
	readonly #approvals = new Map<ToolCallId, Approval>();

	readonly #unsubscribe: () => void;

	private constructor(replay: Replay, log: ProgramLog) {
		this.replay = replay;
		// What is decided while the record is read counts too.
		this.#unsubscribe = log.onCommitted((events) => this.#note(events));
	}

	[Symbol.dispose](): void {
		this.#unsubscribe();
	}

	/** Undefined for a program that has not called an integration. @throws ResumeMismatch */
	static async read(log: ProgramLog): Promise<ProgramHistory | undefined> {
		const recorded = await log.recorded();
		if (recorded === undefined) return undefined;
		const history = new ProgramHistory(new Replay(recorded.steps.map(({ step }) => step)), log);
		for await (const events of recorded.events) {
			history.said.add(events);
			history.#note(events);
		}
		return history;
	}

	/** As it was checked. */
	get program(): CheckedProgram {
		return { source: this.replay.program.source } as CheckedProgram;
	}

	/** How a call ended while its program was not there. */
	endOf(toolCallId: ToolCallId): Receipt | undefined {
		return this.#ends.get(toolCallId);
	}

	/** The last request for it. */
	approvalOf(toolCallId: ToolCallId): Approval | undefined {
		return this.#approvals.get(toolCallId);
	}

	#note(events: readonly LoggedEvent[]): void {
		for (const { event } of events) {
			if (event.type === "approval" && event.record.toolCallId !== undefined) this.#approvals.set(event.record.toolCallId, event.record);
			else if (event.type === "receipt" && event.receipt.toolCallId !== undefined && ends.has(event.receipt.type)) {
				this.#ends.set(event.receipt.toolCallId, event.receipt);
			}
		}
	}
}
