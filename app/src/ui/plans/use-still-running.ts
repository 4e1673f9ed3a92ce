import type { Occurrence } from "@xworkmate/contracts";
import { useCallback } from "react";
import { isCutShort } from "../../text/is-cut-short.ts";
import { useApp } from "../state/app-context.tsx";

/** Returns whether an occurrence's work was cancelled although its run, the newest in the plan's thread, has not ended yet. */
export function useStillRunning(): (occurrence: Occurrence | undefined) => boolean {
	const { threads } = useApp().app;
	return useCallback(
		(occurrence) => {
			const run = occurrence?.runs.at(-1);
			if (occurrence === undefined || run === undefined || !isCutShort(occurrence)) return false;
			const last = threads.find(({ threadId }) => threadId === run.threadId)?.lastTurn;
			return last?.turnId === run.turnId && (last.status === "running" || last.status === "queued");
		},
		[threads],
	);
}
