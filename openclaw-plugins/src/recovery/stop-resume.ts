import { errorMessage } from "@xworkmate/platform/errors";
import type { PluginApi } from "../host/plugin-api.ts";
import { agentOf, type RunRecord } from "../runs/run-record.ts";

/** The fields of a session entry that make OpenClaw 2026.9 resume an interrupted turn under a new run id, with values that prevent this. */
const NOT_TO_BE_RESUMED = {
	status: "failed",
	abortedLastRun: false,
	restartRecoveryRuns: undefined,
	restartRecoveryDeliveryRunId: undefined,
	mainRestartRecovery: undefined,
} as const;

/**
 * Prevents the gateway from resuming the turns of lost runs, which would otherwise act a second time without being asked to. The gate of
 * before_agent_run refuses any turn that is resumed anyway.
 */
export async function stopResume(api: PluginApi, lost: readonly RunRecord[]): Promise<void> {
	// In parallel, because the gateway will soon look for turns to resume, and each write waits for the disk.
	await Promise.all(lost.map((record) => markSession(api, record)));
}

async function markSession(api: PluginApi, { sessionKey, runId }: RunRecord): Promise<void> {
	try {
		await api.runtime.agent.session.patchSessionEntry({
			agentId: agentOf(sessionKey),
			sessionKey,
			preserveActivity: true,
			update: () => NOT_TO_BE_RESUMED,
		});
	} catch (error) {
		api.logger.warn(
			`xworkmate: the gateway may try to resume lost run ${runId}, because its session could not be changed: ${errorMessage(error)}`,
		);
	}
}
