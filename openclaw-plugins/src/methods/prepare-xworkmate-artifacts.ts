import { omitUndefined } from "@xworkmate/contracts";
import { PluginError } from "../platform/plugin-error.ts";
import type { LiveRun } from "../runs/live-run.ts";
import { makeScope } from "../runs/make-scope.ts";
import { agentOf, type RunRecord, toTask } from "../runs/run-record.ts";
import type { RunRegistry } from "../runs/run-registry.ts";
import type { CheckedParams } from "./handlers.ts";

export interface PrepareOptions {
	readonly registry: RunRegistry;
	readonly now: () => number;
	/** The workspace folder of an agent, from the gateway's configuration. */
	readonly workspaceOf: (agentId: string) => string;
}

type PrepareParams = CheckedParams<"xworkmate.session.prepare">;

/**
 * Registers a run under its session and creates its scope; idempotent for a known run.
 * @throws PluginError SCOPE_MISMATCH, SESSION_BUSY, SCOPE_BLOCKED, INTERNAL
 */
export function prepareXWorkmateArtifacts(params: PrepareParams, { registry, now, workspaceOf }: PrepareOptions) {
	registry.requireUndamaged(params.runId);
	const known = registry.find(params.runId);
	if (known !== undefined) {
		const record = registry.require(params);
		registry.refresh(record.runId, toLive(params));
		return prepared(record);
	}
	checkScope(params, registry);
	const made = makeScope(workspaceOf(agentOf(params.sessionKey)), params.artifactScope);
	const record: RunRecord = {
		schemaVersion: 1,
		runId: params.runId,
		sessionKey: params.sessionKey,
		artifactScope: params.artifactScope,
		...made,
		state: "prepared",
		cancelRequested: false,
		preparedAt: new Date(now()).toISOString(),
		evidence: { named: [], backgroundTasks: [], reportedTasks: [], exclusive: !registry.isAnyRunning() },
	};
	registry.add(record, toLive(params));
	return prepared(record);
}

function toLive({ hold, context, earlier }: PrepareParams): LiveRun {
	return { hold, ...omitUndefined({ context, earlier }), refused: new Set(), latestText: "" };
}

function prepared(record: RunRecord) {
	const { artifactDirectory, workspaceDirectory } = record;
	return { ...toTask(record), artifactDirectory, workspaceDirectory };
}

/**
 * Run, session and scope must belong together: the scope's path ends with the run's id, and all scopes of a session are in one folder. The
 * session must have no unfinished run.
 */
function checkScope({ runId, sessionKey, artifactScope }: PrepareParams, registry: RunRegistry): void {
	const [, folder, run] = artifactScope.split("/");
	const ofSession = registry.ofSession(sessionKey);
	const hasOtherFolder = ofSession.some((record) => record.artifactScope.split("/")[1] !== folder);
	if (run !== runId || hasOtherFolder) {
		throw new PluginError("SCOPE_MISMATCH", "the run, the session and the run's folder do not belong together");
	}
	const busy = registry.activeOf(sessionKey);
	if (busy !== undefined) throw new PluginError("SESSION_BUSY", `run ${busy.runId} of this session has not ended`);
}
