import {
	ArtifactScope,
	OpenClawRunState,
	OpenClawSessionKey,
	type OpenClawTask,
	omitUndefined,
	RunId,
	Timestamp,
} from "@xworkmate/contracts";
import { z } from "zod";

/** How a tool call or the final text of the run named a file, which may be in the scope or outside. */
export const NamedBy = z.enum(["write", "exec", "result", "reply"]);
export type NamedBy = z.infer<typeof NamedBy>;

/** What this run's own events report about files, in its scope and outside; the basis of every attribution. */
export const RunEvidence = z.object({
	/** Absolute paths, as named; at most MAX_NAMED. */
	named: z.array(z.object({ path: z.string(), by: NamedBy })),
	/** Ids of background tasks that a tool call of this run opened. */
	backgroundTasks: z.array(z.string()),
	/** Ids of background tasks whose end, and whose files, the gateway has reported. */
	reportedTasks: z.array(z.string()).default([]),
	/** False if another run worked at any time while this one was active: a file's time alone then proves nothing. */
	exclusive: z.boolean(),
});
export type RunEvidence = z.infer<typeof RunEvidence>;

/** The stored record of a run, one file each. Excludes the app's context, which stays in memory. */
export const RunRecord = z.object({
	schemaVersion: z.literal(1),
	runId: RunId,
	sessionKey: OpenClawSessionKey,
	artifactScope: ArtifactScope,
	/** Absolute real paths. */
	workspaceDirectory: z.string(),
	artifactDirectory: z.string(),
	state: OpenClawRunState,
	output: z.object({ text: z.string(), truncated: z.boolean(), totalBytes: z.int().min(0) }).optional(),
	error: z.string().optional(),
	cancelRequested: z.boolean(),
	atWork: z.array(z.string()).optional(),
	preparedAt: Timestamp,
	startedAt: Timestamp.optional(),
	endedAt: Timestamp.optional(),
	collectedAt: Timestamp.optional(),
	evidence: RunEvidence,
});
export type RunRecord = z.infer<typeof RunRecord>;

/** Converts a record to the contract's form. */
export function toTask(record: RunRecord): OpenClawTask {
	const { runId, sessionKey, artifactScope, state, output, error, cancelRequested, atWork, preparedAt, startedAt, endedAt } = record;
	return {
		runId,
		sessionKey,
		artifactScope,
		state,
		...omitUndefined({ output, error }),
		cancelRequested,
		...omitUndefined({ atWork }),
		preparedAt,
		...omitUndefined({ startedAt, endedAt }),
		collected: record.collectedAt !== undefined,
	};
}

/** The agent's id in a session key, `agent:<agent>:xwm-<24 hex>`. */
export function agentOf(sessionKey: OpenClawSessionKey): string {
	return sessionKey.split(":")[1] ?? "";
}
