import type { ProviderCapability } from "@xworkmate/contracts";
import { createContext, useContext, useMemo } from "react";
import type { AppState } from "../../api/ui-api.ts";
import { count } from "../../strings/interface.ts";
import type { AppLink, Link } from "../connection/app-link.ts";
import { waitingCount } from "../turn/thread-state.ts";
import { useClock } from "./use-clock.ts";

export interface AppContextValue {
	readonly link: AppLink;
	readonly state: Link["state"];
	readonly app: AppState;
	readonly clockAheadMs: number;
	/** When the app last responded, by this page's clock. */
	readonly heardAt: string | undefined;
	/**
	 * When the current day began. The value changes at midnight, so that everything that shows a time is rendered again and does not
	 * present yesterday's times as today's.
	 */
	readonly today: number;
	/** The pane that this page shows on a phone. */
	readonly pane: "list" | "thread" | "panel";
	setPane(pane: "list" | "thread" | "panel"): void;
	/** Announces something to screen readers, even if it repeats the last announcement. */
	announce(text: string): void;
}

export const AppContext = createContext<AppContextValue | undefined>(undefined);

export function useApp(): AppContextValue {
	const value = useContext(AppContext);
	if (value === undefined) throw new Error("outside of the app");
	return value;
}

/** The current time by the bridge's clock, in milliseconds, for comparison with the bridge's times. */
export function useBridgeNow(): number {
	const { app, clockAheadMs } = useApp();
	return useClock() + clockAheadMs + app.bridge.clockAheadMs;
}

export function useProviders(): readonly ProviderCapability[] {
	return useApp().app.bridge.capabilities?.providers ?? [];
}

/** An agent's display name. */
export function useProviderName(providerId: string | undefined): string {
	const providers = useProviders();
	if (providerId === undefined) return "The agent";
	return providers.find((provider) => provider.providerId === providerId)?.label ?? providerId;
}

/**
 * How many threads wait for the user, and how many plans have a message that does. A plan whose agent waits for an answer is counted by its
 * thread.
 */
export function useWaitingOf(): { readonly threads: number; readonly plans: number } {
	const { threads, approvals, plans } = useApp().app;
	const asked = useMemo(() => waitingCount(threads, new Set<string>(approvals.map(({ threadId }) => threadId))), [threads, approvals]);
	return { threads: asked, plans: plans?.needsReview ?? 0 };
}

export function useWaiting(): number {
	const { threads, plans } = useWaitingOf();
	return threads + plans;
}

/**
 * What waits for the user, counted by thread and plan, because a thread may have several requests and a plan several messages: "1 thread, 2
 * plans".
 */
export function waitingWords({ threads, plans }: ReturnType<typeof useWaitingOf>): string {
	return [...(threads > 0 ? [count(threads, "thread")] : []), ...(plans > 0 ? [count(plans, "plan")] : [])].join(", ");
}
