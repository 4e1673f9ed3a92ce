import type { LoggedEvent } from "../../../src/ports/runs/run-event.ts";
import { apply, initialState, type RunState } from "../../../src/runs/domain/run-state.ts";

/** The state after a whole log. */
export function fold(events: readonly LoggedEvent[]): RunState {
	return events.reduce<RunState>(apply, initialState);
}
