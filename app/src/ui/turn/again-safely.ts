import type { ActionId } from "../../strings/codes.ts";

/**
 * The actions offered after a run. If the run did more than read, sending its message again could repeat that, so Retry is replaced by an
 * action that shows the user the message first.
 */
export function againSafely(actions: readonly ActionId[], hasActed: boolean): readonly ActionId[] {
	return hasActed ? [...new Set(actions.map((action) => (action === "retry" ? "ask_again" : action)))] : actions;
}

const resending: ReadonlySet<ActionId> = new Set([
	"retry",
	"send_as_new",
	"ask_again",
	"ask_more_time",
	"ask_missing",
	"change_message",
	"choose_agent",
]);

/**
 * The actions offered after a plan's run. Sent again in the thread, its work would be an ordinary message, whose answer the plan would not
 * get, so these actions are replaced by one that opens the plan.
 */
export function throughPlan(actions: readonly ActionId[]): readonly ActionId[] {
	return [...new Set(actions.map((action) => (resending.has(action) ? "open_plan" : action)))];
}
