import type { FollowedTurn } from "../client/turn-follower.ts";
import { useApp } from "./app-context.tsx";

/** True while this page does not hear how the run under way is: nothing of it may be said as if it were so now. */
export function useLost({ view, isOpen }: FollowedTurn): boolean {
	const { app, state } = useApp();
	const { trouble } = app.bridge;
	if (view.lost !== undefined || trouble !== undefined) return true;
	// The turn's own stream is a connection of its own: while it is open, it knows best.
	return !isOpen && (state !== "live" || app.bridge.state === "unreachable" || app.bridge.state === "refused");
}

/** Since when a row's words are not known to be so any more; undefined = they are. */
export function useAsOf({ asOf, isUnderWay }: { readonly asOf: string | undefined; readonly isUnderWay: boolean }): string | undefined {
	const { state, heardAt } = useApp();
	if (!isUnderWay) return undefined;
	return asOf ?? (state === "live" ? undefined : heardAt);
}
