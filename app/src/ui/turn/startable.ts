import type { AppState } from "../../api/ui-api.ts";
import type { ActionId } from "../../strings/codes.ts";

/**
 * Offers to start the bridge only while nothing answers at its address, because the app would restart a running bridge and interrupt its
 * runs, and only if the app can: it leaves a bridge alone that the user started. The other actions remain.
 */
export function startable(actions: readonly ActionId[], { state, trouble, startedByUser }: AppState["bridge"]): readonly ActionId[] {
	const mayBeGone = state === "unreachable" && trouble?.what !== "silent" && startedByUser !== true;
	return mayBeGone ? actions : actions.filter((action) => action !== "start_bridge");
}
