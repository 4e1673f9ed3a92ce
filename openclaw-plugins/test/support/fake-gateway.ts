import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import type { PluginCore } from "../../src/core/plugin-core.ts";
import type {
	AgentEventSubscription,
	GatewayErrorShape,
	GatewayMethodHandler,
	HttpRoute,
	PluginApi,
	PluginService,
	SessionEntryPatch,
} from "../../src/host/plugin-api.ts";
import plugin from "../../src/index.ts";
import { fakeTasks } from "./fake-tasks.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const SHARED = Symbol.for("xworkmate.openclaw");

/** What all instances of the plugin in this process share. */
export function heldCore(): PluginCore | undefined {
	const holder: typeof globalThis & { [SHARED]?: PluginCore } = globalThis;
	return holder[SHARED];
}

/** A gateway's folders, which outlive its processes. */
export async function gatewayFolders() {
	const folder = await temporaryFolder();
	const state = join(folder.path, "state");
	mkdirSync(state);
	return {
		state,
		workspace: join(folder.path, "workspace"),
		async [Symbol.asyncDispose]() {
			Reflect.deleteProperty(globalThis, SHARED);
			await folder[Symbol.asyncDispose]();
		},
	};
}

/**
 * One life of a gateway process, as far as the plugin sees it: it registers the plugin twice, and uses the
 * methods of one registration and the hooks of the other, as OpenClaw 2026.9.6 does.
 */
export function startFakeGateway({ state, workspace }: { readonly state: string; readonly workspace: string }) {
	Reflect.deleteProperty(globalThis, SHARED);
	const methods = new Map<string, { readonly handler: GatewayMethodHandler; readonly scope: string }>();
	const hooks = new Map<string, (event: unknown, context: unknown) => unknown>();
	const subscriptions: AgentEventSubscription[] = [];
	const services: PluginService[] = [];
	const routes: HttpRoute[] = [];
	const emitted: { readonly event: string; readonly payload: unknown }[] = [];
	const patches: SessionEntryPatch[] = [];
	const tasks = fakeTasks();
	const api: PluginApi = {
		id: "xworkmate",
		version: "0.1.0",
		logger: { info: () => {}, warn: () => {}, error: () => {} },
		runtime: {
			version: "2026.9.6",
			config: { current: () => ({ plugins: { entries: { xworkmate: { hooks: { allowConversationAccess: true } } } } }) },
			state: { resolveStateDir: () => state },
			agent: { resolveAgentWorkspaceDir: () => workspace, session: { patchSessionEntry: (patch) => patches.push(patch) } },
			tasks: tasks.runtime.tasks,
		},
		agent: { events: { registerAgentEventSubscription: (subscription) => subscriptions.push(subscription) } },
		registerGatewayMethod: (name, handler, { scope }) => methods.set(name, { handler, scope }),
		registerHttpRoute: (route) => routes.push(route),
		registerService: (service) => services.push(service),
		on: (hook, handler) => hooks.set(hook, handler),
	};
	plugin.register(api);
	plugin.register(api);
	const start = () => services[0]?.start({ gatewayEvents: { emit: (event, payload) => emitted.push({ event, payload }) } });
	return {
		methods,
		routes,
		emitted,
		patches,
		tasks,
		async call(name: string, params: unknown) {
			const { promise, resolve } = Promise.withResolvers<{ readonly payload?: unknown; readonly error?: GatewayErrorShape }>();
			await methods
				.get(name)
				?.handler({ params, respond: (ok, payload, error) => resolve(ok ? { payload } : { ...(error && { error }) }) });
			return promise;
		},
		hook: (name: string, event: unknown, context: unknown) => hooks.get(name)?.(event, context),
		say: (event: unknown) => subscriptions.at(-1)?.handle(event),
		start,
		stop: () => services[0]?.stop(),
		/** As OpenClaw replaces a plugin in a running gateway: the old service stops, and all is a fresh module's. */
		async reload() {
			await services[0]?.stop();
			services.length = 0;
			vi.resetModules();
			const { default: fresh } = await import("../../src/index.ts");
			fresh.register(api);
			await start();
		},
	};
}
