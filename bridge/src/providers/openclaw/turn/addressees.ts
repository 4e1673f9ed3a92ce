import { runOf } from "./agent-event.ts";

/** These events name their run in other fields, or not at all, so they go to every turn. They are rare. */
const questions: ReadonlySet<string> = new Set([
	"exec.approval.requested",
	"plugin.approval.requested",
	"exec.approval.resolved",
	"plugin.approval.resolved",
	"plugin.xworkmate.approval",
]);

/**
 * The turns that an event from the gateway may be about: all turns for a question, and at most one otherwise, found without searching all
 * runs. Pure.
 */
export function addressees<Turn>(name: string, payload: unknown, turns: ReadonlyMap<string, Turn>): Iterable<Turn> {
	if (questions.has(name)) return turns.values();
	const run = turns.size === 0 ? undefined : runOf(payload);
	const turn = run && turns.get(run.runId);
	return turn === undefined ? [] : [turn];
}
