import { rmSync } from "node:fs";
import { join } from "node:path";
import { HeldToolCalls } from "../approvals/held-tool-calls.ts";
import { SettledApprovals } from "../approvals/settled-approvals.ts";
import { type EmitDiagnostic, showWaiting } from "../approvals/waiting-sign.ts";
import { type GatewayPlaces, gatewayPlaces } from "../attribution/gateway-places.ts";
import { temporaryFolder } from "../context/exec-environment.ts";
import { RunCollector } from "../export/run-collector.ts";
import { SealedScopes } from "../export/sealed-scopes.ts";
import { SealingThread } from "../export/sealing-thread.ts";
import type { PluginApi } from "../host/plugin-api.ts";
import { announceRun, type Emit } from "../runs/announce-run.ts";
import { RunEnder } from "../runs/run-ender.ts";
import { RunFiles } from "../runs/run-files.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { RunRegistry } from "../runs/run-registry.ts";

/** State that all instances of the plugin in one gateway share. */
export interface PluginCore {
	/** Absolute path of the plugin's own folder in the gateway's state. */
	readonly stateDirectory: string;
	readonly places: GatewayPlaces;
	readonly registry: RunRegistry;
	readonly ender: RunEnder;
	readonly sealed: SealedScopes;
	readonly collector: RunCollector;
	readonly heldCalls: HeldToolCalls;
	/** Runs that were in progress when the previous gateway process ended. */
	readonly lost: readonly RunRecord[];
	/** Set while the plugin's service runs, if the gateway lets plugins emit events. */
	emit: Emit | undefined;
	/** Set if the gateway lets plugins emit diagnostic events. */
	emitDiagnostic: EmitDiagnostic | undefined;
	/** The instance that was called last: a reload invalidates the runtime and the files of earlier instances. */
	instance: PluginInstance;
	/** True once the service of the core's instance has stopped. */
	retired: boolean;
}

interface PluginInstance {
	readonly api: PluginApi;
	readonly sealWorker: URL;
}

/**
 * Longer than the bridge may keep a request open (XWORKMATE_APPROVAL_MS, at most a day), so that the bridge's answer comes first. Reached
 * only if no bridge returns.
 */
export const HOLD_BOUND_MS = 24 * 60 * 60_000 + 5 * 60_000;

/** In a build, the worker is next to this file's bundle. */
const SEAL_WORKER = new URL(import.meta.url.endsWith(".ts") ? "../seal-worker.ts" : "./seal-worker.js", import.meta.url);

/** The gateway loads the plugin several times, each as a new module: methods run in one, hooks in another. */
const SHARED = Symbol.for("xworkmate.openclaw");

const holder: typeof globalThis & { [SHARED]?: PluginCore } = globalThis;

/** The process's single core, created and loaded from disk on first use. */
export function sharedCore(api: PluginApi): PluginCore {
	const instance = { api, sealWorker: SEAL_WORKER };
	holder[SHARED] ??= openCore(instance);
	const core = holder[SHARED];
	core.instance = instance;
	return core;
}

/**
 * The core for a starting service: after a reload, a new one that runs the reloaded code and is read from disk. Runs in progress are known
 * only to the earlier core, so a service that starts during one keeps that core.
 */
export function takeOverCore(api: PluginApi): PluginCore {
	const held = holder[SHARED];
	if (held?.retired === true && held.registry.active().length === 0) delete holder[SHARED];
	const core = sharedCore(api);
	core.retired = false;
	return core;
}

function openCore(instance: PluginInstance): PluginCore {
	const { runtime } = instance.api;
	const stateDirectory = join(runtime.state.resolveStateDir(), "xworkmate");
	const places = gatewayPlaces(runtime.state.resolveStateDir());
	const warn = (message: string) => core.instance.api.logger.warn(`xworkmate: ${message}`);
	const heldCalls = new HeldToolCalls({
		settled: new SettledApprovals(join(stateDirectory, "approvals.json"), warn),
		announce: (approval, state) => core.emit?.("approval", { approval, state }),
		showWaiting: (approval) => (core.emitDiagnostic === undefined ? () => {} : showWaiting(approval, core.emitDiagnostic)),
		boundMs: HOLD_BOUND_MS,
	});
	const thread = new SealingThread(() => core.instance.sealWorker);
	const sealed = new SealedScopes(join(stateDirectory, "sealed"));
	const registry = new RunRegistry({
		files: new RunFiles(join(stateDirectory, "runs")),
		now: Date.now,
		warn,
		announce: (record) => announceRun(record, core.emit),
		ended: (runId) => heldCalls.withdrawRun(runId, "the run has ended"),
		forget: (runId) => {
			rmSync(sealed.path(runId), { force: true });
			rmSync(temporaryFolder(stateDirectory, runId), { recursive: true, force: true });
		},
	});
	const core: { -readonly [K in keyof PluginCore]: PluginCore[K] } = {
		stateDirectory,
		places,
		registry,
		ender: new RunEnder(registry),
		sealed,
		collector: new RunCollector({
			registry,
			sealed,
			now: Date.now,
			places,
			temporaryOf: (runId) => temporaryFolder(stateDirectory, runId),
			listTasks: (sessionKey) => core.instance.api.runtime.tasks.runs.bindSession({ sessionKey }).list(),
			seal: (task) => thread.seal(task),
		}),
		heldCalls,
		lost: [],
		emit: undefined,
		emitDiagnostic: undefined,
		instance,
		retired: false,
	};
	core.lost = registry.open();
	return core;
}
