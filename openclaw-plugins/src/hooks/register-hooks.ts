import type { RunId } from "@xworkmate/contracts";
import { guardToolCall } from "../approvals/guard-tool-call.ts";
import { noteReportedTask, noteToolCall } from "../attribution/note-evidence.ts";
import { execEnvironment, temporaryFolder } from "../context/exec-environment.ts";
import { turnContext } from "../context/turn-context.ts";
import { HOLD_BOUND_MS, type PluginCore } from "../core/plugin-core.ts";
import type { PluginApi } from "../host/plugin-api.ts";
import { decideBegin } from "./begin-gate.ts";
import { followRun } from "./follow-run.ts";
import { readHookContext } from "./hook-context.ts";

/** Registers the hooks that the plugin uses during a turn. */
export function registerHooks(api: PluginApi, core: () => PluginCore): void {
	api.agent.events.registerAgentEventSubscription({
		id: "xworkmate",
		streams: ["lifecycle", "assistant"],
		handle: (event) => followRun(event, api, core()),
	});
	api.on("after_tool_call", (event, context) => noteToolCall(event, readHookContext(context), core().registry, core().places));
	api.on("agent_turn_prepare", (event, context) => {
		const { registry, places } = core();
		const read = readHookContext(context);
		noteReportedTask(event, read, registry, places);
		const { runId = "", sessionKey } = read;
		const record = registry.find(runId);
		const live = record && registry.live(record.runId);
		return record?.sessionKey === sessionKey && live ? { appendContext: turnContext(record, live) } : undefined;
	});
	api.on("before_agent_run", (_event, context) => decideBegin(readHookContext(context), core().registry));
	api.on("resolve_exec_env", (_event, context) => execEnvironment(readHookContext(context), core().registry, core().stateDirectory));
	api.on(
		"before_tool_call",
		(event, context) => {
			const { registry, heldCalls, places, stateDirectory } = core();
			const temporaryOf = (runId: RunId) => temporaryFolder(stateDirectory, runId);
			return guardToolCall(event, readHookContext(context), { registry, heldCalls, places, temporaryOf, now: Date.now });
		},
		{ timeoutMs: HOLD_BOUND_MS + 60_000 },
	);
}
