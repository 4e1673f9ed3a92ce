import type { FailedCode, RunCode, Timestamp } from "@xworkmate/contracts";
import type { RunFacts } from "../ports/runs/run-record.ts";
import type { RunService } from "../ports/runs/run-service.ts";

/** The end of a run that shows whether its provider works. Without a `failure`, the provider answered. */
export interface NotedEnd {
	readonly at: Timestamp;
	readonly failure?: { readonly code: RunCode; readonly message: string };
}

/** The codes of runs that failed because their provider did not work. Other codes say nothing about the provider. */
const ofProvider: ReadonlySet<RunCode | undefined> = new Set<FailedCode>([
	"PROVIDER_ERROR",
	"PROVIDER_EXITED",
	"PROVIDER_AUTH_REQUIRED",
	"PROVIDER_LIMITED",
]);

/**
 * Calls `note` for each run that succeeds, or that fails because of its provider and not because of what was requested. Calls `onError` if
 * the run could not be looked up.
 */
export function noteRuns(
	runs: Pick<RunService, "log" | "resolve">,
	note: (run: RunFacts, end: NotedEnd) => void,
	onError: (error: unknown) => void,
): void {
	runs.log.onCommittedAny((runId, events) => {
		const last = events.at(-1);
		if (last?.event.type !== "ended") return;
		const { status, code, message = "", isRequest } = last.event;
		const isOfProvider = status === "failed" && isRequest !== true;
		const failure = isOfProvider && code !== undefined && ofProvider.has(code) ? { code, message } : undefined;
		if (status !== "completed" && failure === undefined) return;
		void runs.resolve({ runId }).then((run) => note(run, { at: last.at, ...(failure && { failure }) }), onError);
	});
}
