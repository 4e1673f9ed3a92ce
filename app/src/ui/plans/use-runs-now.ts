import { useMemo } from "react";
import type { RunsNow } from "../../text/plan-runs.ts";
import { stopAskedAt } from "../../text/stop-asked-at.ts";
import { useApp } from "../state/app-context.tsx";

/** What the app knows about the runs of plans besides the plans: a plan's active run is the newest in its thread. */
export function useRunsNow(): RunsNow {
	const { threads, approvals } = useApp().app;
	return useMemo(
		() => ({
			active: threads.flatMap(({ threadId, lastTurn }) => {
				if (lastTurn?.status !== "running" && lastTurn?.status !== "queued") return [];
				const { turnId, runId } = lastTurn;
				return [{ threadId, turnId, runId, isAskedToStop: stopAskedAt(lastTurn) !== undefined }];
			}),
			asked: new Set(approvals.map(({ runId }) => runId)),
		}),
		[threads, approvals],
	);
}
