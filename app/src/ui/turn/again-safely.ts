import type { ActionId } from "../../strings/codes.ts";

/**
 * The actions after a run. If it did more than read, its message is not sent again with one press, which could do it twice: the user sees
 * the message first.
 */
export function againSafely(actions: readonly ActionId[], hasActed: boolean): readonly ActionId[] {
	return hasActed ? [...new Set(actions.map((action) => (action === "retry" ? "ask_again" : action)))] : actions;
}
