import type { Timestamp } from "@xworkmate/contracts";
import type { RunFacts } from "../ports/runs/run-record.ts";
import type { RunService } from "../ports/runs/run-service.ts";

/** Calls `note` for each run that succeeds, with the time of its end. `onError` is called if the run could not be looked up. */
export function noteAnswers(
	runs: Pick<RunService, "log" | "resolve">,
	note: (run: RunFacts, at: Timestamp) => void,
	onError: (error: unknown) => void,
): void {
	runs.log.onCommittedAny((runId, events) => {
		const end = events.at(-1);
		if (end?.status === "completed") void runs.resolve({ runId }).then((run) => note(run, end.at), onError);
	});
}
