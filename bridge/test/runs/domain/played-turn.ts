import { timestamp } from "../../../src/ports/clock.ts";
import type { RunEvent } from "../../../src/ports/runs/run-event.ts";
import { decide, type RunCommand } from "../../../src/runs/domain/decide.ts";
import { apply, initialState, type RunState } from "../../../src/runs/domain/run-state.ts";

/** A run after some commands. */
export interface Turn {
	readonly state: RunState;
	/** Those of the last command. */
	readonly last: readonly RunEvent[];
}

/** A started run after these commands, each a millisecond after the one before. */
export function play(...commands: readonly RunCommand[]): Turn {
	let state = initialState;
	let last: readonly RunEvent[] = [];
	for (const [index, command] of [{ type: "accept" } as const, { type: "start", budgetMs: 1_000 } as const, ...commands].entries()) {
		last = decide(state, command, index);
		for (const event of last) state = apply(state, { seq: state.lastSeq + 1, at: timestamp(index), event });
	}
	return { state, last };
}
