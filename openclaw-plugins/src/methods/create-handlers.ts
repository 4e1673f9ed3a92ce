import { join } from "node:path";
import { omitUndefined } from "@xworkmate/contracts";
import { readArtifact } from "../artifact-server/read-artifact.ts";
import type { PluginCore } from "../core/plugin-core.ts";
import { diagnose } from "../doctor/diagnose.ts";
import { exportXWorkmateArtifacts } from "../export/export-xworkmate-artifacts.ts";
import type { PluginApi } from "../host/plugin-api.ts";
import { toTask } from "../runs/run-record.ts";
import type { Handlers } from "./handlers.ts";
import { prepareXWorkmateArtifacts } from "./prepare-xworkmate-artifacts.ts";
import { releasePreparedRun } from "./release-prepared-run.ts";

/** Implements the contract's methods with the plugin's state. */
export function createHandlers(api: PluginApi, core: PluginCore): Handlers {
	const { registry, sealed, heldCalls } = core;
	const { config, agent } = api.runtime;
	return {
		"xworkmate.session.prepare": (params) =>
			prepareXWorkmateArtifacts(params, {
				registry,
				now: Date.now,
				workspaceOf: (agentId) => agent.resolveAgentWorkspaceDir(config.current(), agentId),
			}),
		"xworkmate.session.release": (params) => releasePreparedRun(params, core),
		"xworkmate.tasks.get": (params) => toTask(registry.require(params)),
		"xworkmate.tasks.cancel": (params) => {
			const record = registry.require(params);
			const changed = registry.change(record.runId, { kind: "cancel_requested" }) ?? record;
			heldCalls.withdrawRun(record.runId, "the run was stopped");
			return toTask(changed);
		},
		"xworkmate.artifacts.collect-and-snapshot": (params) => core.collector.collectAndSnapshotXWorkmateArtifacts(params),
		"xworkmate.artifacts.export": (params) =>
			exportXWorkmateArtifacts(sealed.require(registry.require(params)), params.afterPath, params.limit),
		"xworkmate.artifacts.read": (params) => {
			const record = registry.require(params);
			return readArtifact(record, sealed.require(record), params);
		},
		"xworkmate.approvals.list": ({ sessionKey }) => ({ items: [...heldCalls.list(sessionKey)] }),
		"xworkmate.approvals.answer": ({ id, allow, reason }) => heldCalls.answer(id, { allow, ...omitUndefined({ reason }) }),
		"xworkmate.doctor": () => diagnose(api, join(core.stateDirectory, "writable")),
	};
}
