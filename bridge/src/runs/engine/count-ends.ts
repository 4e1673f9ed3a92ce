import { isTerminal, type RunStatus } from "@xworkmate/contracts";
import type { RunLog } from "../../ports/runs/run-service.ts";

/** How many runs have ended since the bridge started, by their status. */
export function countEnds(log: RunLog): Readonly<Partial<Record<RunStatus, number>>> {
	const ended: Partial<Record<RunStatus, number>> = {};
	log.onCommittedAny((_runId, events) => {
		const status = events.at(-1)?.status;
		if (status !== undefined && isTerminal(status)) ended[status] = (ended[status] ?? 0) + 1;
	});
	return ended;
}
