import type { AppState } from "../../api/ui-api.ts";
import { type RunsNow, runsNowOf } from "../../text/plans/plan-runs.ts";
import { useApp } from "../state/app-context.tsx";

type Known = Pick<AppState, "threads" | "approvals">;

/** For each list of threads, the result that was last computed from it, and the requests that it was computed with. */
const made = new WeakMap<Known["threads"], { readonly approvals: Known["approvals"]; readonly now: RunsNow }>();

/**
 * What the app knows about the runs of plans besides the plans. Every card and row of a page
 * asks for it, and a home may have thousands of threads, so it is kept outside the components and the threads are walked once for all of them.
 */
export function useRunsNow(): RunsNow {
	const { threads, approvals } = useApp().app;
	const last = made.get(threads);
	if (last?.approvals === approvals) return last.now;
	const now = runsNowOf(threads, approvals);
	made.set(threads, { approvals, now });
	return now;
}
