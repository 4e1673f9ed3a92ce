import type { ThreadId } from "@xworkmate/contracts";
import { useApp } from "../state/app-context.tsx";
import { asOfThread, type Hearing, threadState } from "../turn/thread-state.ts";
import type { FollowedTurn } from "./turn-follower.ts";

/** True while this page has no contact with the active run, so that the run's state must not be shown as current. */
export function useLost({ view, isOpen }: FollowedTurn): boolean {
	const { app, state } = useApp();
	const { trouble } = app.bridge;
	// A turn in the app's own queue concerns only the app, so its state is current whether or not the bridge responds.
	if (view.gatewayQueue !== undefined) return !isOpen && state !== "live";
	if (view.lost !== undefined || trouble !== undefined) return true;
	// The turn's stream has its own connection. While the stream is open, the bridge is known to respond.
	return !isOpen && (state !== "live" || app.bridge.state === "unreachable" || app.bridge.state === "refused");
}

/** This page's contact with the app, which determines whether lists show the state of runs as current. */
export function useHearing(): Hearing {
	const { state, heardAt } = useApp();
	return { isLive: state === "live", heardAt };
}

/**
 * The time since which a thread's state may be out of date, for the run bar and the steps. The list and the header use the same function,
 * `asOfThread`, so that all show the same time.
 */
export function useAsOf(threadId: ThreadId): string | undefined {
	const { app } = useApp();
	const hearing = useHearing();
	const thread = app.threads.find((listed) => listed.threadId === threadId);
	return thread && asOfThread({ thread, state: threadState(thread, false) }, hearing);
}
