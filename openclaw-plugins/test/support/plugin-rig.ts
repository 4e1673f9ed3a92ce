import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type OpenClawApproval, type OpenClawParams, openClawMethods } from "@xworkmate/contracts";
import { HeldToolCalls } from "../../src/approvals/held-tool-calls.ts";
import { SettledApprovals } from "../../src/approvals/settled-approvals.ts";
import { gatewayPlaces } from "../../src/attribution/gateway-places.ts";
import { RunCollector } from "../../src/export/run-collector.ts";
import { sealScope } from "../../src/export/seal-scope.ts";
import { SealedScopes } from "../../src/export/sealed-scopes.ts";
import { prepareXWorkmateArtifacts } from "../../src/methods/prepare-xworkmate-artifacts.ts";
import { RunEnder } from "../../src/runs/run-ender.ts";
import { RunFiles } from "../../src/runs/run-files.ts";
import type { RunRecord } from "../../src/runs/run-record.ts";
import { RunRegistry } from "../../src/runs/run-registry.ts";
import { runRef } from "./run-refs.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const { params } = openClawMethods["xworkmate.session.prepare"];

/** The plugin's parts over a folder, as they are put together in a gateway, without the gateway. */
export async function pluginRig() {
	const folder = await temporaryFolder();
	const state = join(folder.path, "state");
	const workspace = join(folder.path, "workspace");
	mkdirSync(join(state, "media"), { recursive: true });
	return { ...openRig(state, workspace), state, workspace, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** One life of the gateway over what an earlier one left. */
export function openRig(state: string, workspace: string) {
	const announced: RunRecord[] = [];
	const asked: { readonly approval: OpenClawApproval; readonly state: string }[] = [];
	const warnings: string[] = [];
	const tasks: { id: string; status: string; endedAt?: number }[] = [];
	const files = new RunFiles(join(state, "xworkmate", "runs"));
	const warn = (message: string) => void warnings.push(message);
	const heldCalls = new HeldToolCalls({
		settled: new SettledApprovals(join(state, "xworkmate", "approvals.json"), warn),
		announce: (approval, how) => asked.push({ approval, state: how }),
		showWaiting: () => () => {},
		boundMs: 60_000,
	});
	const registry: RunRegistry = new RunRegistry({
		files,
		now: Date.now,
		announce: (record) => announced.push(record),
		ended: (runId) => heldCalls.withdrawRun(runId, "the run has ended"),
		warn,
		forget: () => {},
	});
	const lost = registry.open();
	const ender = new RunEnder(registry);
	const sealed = new SealedScopes(join(state, "xworkmate", "sealed"));
	const places = gatewayPlaces(state);
	const temporaryOf = (runId: string) => join(state, "xworkmate", "tmp", runId);
	const collector = new RunCollector({
		registry,
		sealed,
		now: Date.now,
		places,
		temporaryOf,
		listTasks: () => tasks,
		seal: async (task) => void sealScope(task),
	});
	const prepare = (ref = runRef(1), more: Partial<OpenClawParams<"xworkmate.session.prepare">> = {}) =>
		prepareXWorkmateArtifacts(params.parse({ ...ref, hold: "none", ...more }), { registry, now: Date.now, workspaceOf: () => workspace });
	return { announced, asked, warnings, tasks, files, heldCalls, registry, ender, lost, sealed, places, temporaryOf, collector, prepare };
}
