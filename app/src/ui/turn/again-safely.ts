import type { ActionId } from "../../strings/codes.ts";

/**
 * The actions offered after a run. If the run did more than read, sending its message again could repeat that, so Retry is replaced by an
 * action that shows the user the message first.
 */
export function againSafely(actions: readonly ActionId[], hasActed: boolean): readonly ActionId[] {
	return hasActed ? [...new Set(actions.map((action) => (action === "retry" ? "ask_again" : action)))] : actions;
}
