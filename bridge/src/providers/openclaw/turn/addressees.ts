import { runOf } from "./agent-event.ts";

/** Questions and their answers name their run in other fields, or not at all, so they go to every turn. They are rare. */
const questions: ReadonlySet<string> = new Set([
	"exec.approval.requested",
	"plugin.approval.requested",
	"exec.approval.resolved",
	"plugin.approval.resolved",
	"plugin.xworkmate.approval",
]);

/** The turns that an event from the gateway may be about: at most one, however many runs there are, except for questions. Pure. */
export function addressees<Turn>(name: string, payload: unknown, turns: ReadonlyMap<string, Turn>): Iterable<Turn> {
	if (questions.has(name)) return turns.values();
	const run = turns.size === 0 ? undefined : runOf(payload);
	const turn = run && turns.get(run.runId);
	return turn === undefined ? [] : [turn];
}
