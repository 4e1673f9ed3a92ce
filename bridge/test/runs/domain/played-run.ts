import { type Receipt, RunId } from "@xworkmate/contracts";
import type { RunEvent } from "../../../src/ports/runs/run-event.ts";
import { decide, type RunCommand } from "../../../src/runs/domain/decide.ts";
import { apply, initialState, type RunState } from "../../../src/runs/domain/run-state.ts";

export const runId = RunId.parse("run-1");

/** A run that takes commands, with every event that they caused. */
export class PlayedRun {
	state: RunState = initialState;
	readonly events: RunEvent[] = [];

	constructor() {
		this.do({ type: "accept" });
		this.do({ type: "start", budgetMs: 1000 });
	}

	do(command: RunCommand): readonly RunEvent[] {
		const events = decide(this.state, command, Date.UTC(2026, 10, 23));
		for (const event of events) {
			this.state = apply(this.state, { seq: this.state.lastSeq + 1, at: "2026-11-23T00:00:00.000Z", event });
			this.events.push(event);
		}
		return events;
	}

	get receipts(): readonly Receipt[] {
		return this.events.flatMap((event) => (event.type === "receipt" ? [event.receipt] : []));
	}

	types(): readonly string[] {
		return this.receipts.map(({ type, toolCallId }) => `${toolCallId} ${type.replace("tool.call.", "")}`);
	}
}
