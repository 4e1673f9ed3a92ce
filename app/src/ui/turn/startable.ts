import type { AppState } from "../../api/ui-api.ts";
import type { ActionId } from "../../strings/codes.ts";

/**
 * Offers to start the bridge only while nothing answers at its address, because the app would restart a running bridge and interrupt its
 * runs. The other actions remain.
 */
export function startable(actions: readonly ActionId[], { state, trouble }: AppState["bridge"]): readonly ActionId[] {
	const mayBeGone = state === "unreachable" && trouble?.what !== "silent";
	return mayBeGone ? actions : actions.filter((action) => action !== "start_bridge");
}
