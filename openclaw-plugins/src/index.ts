import { OPENCLAW_ARTIFACT_ROUTE } from "@xworkmate/contracts";
import { serveArtifacts } from "./artifact-server/serve-artifacts.ts";
import { sharedCore } from "./core/plugin-core.ts";
import { registerHooks } from "./hooks/register-hooks.ts";
import type { PluginApi } from "./host/plugin-api.ts";
import { createHandlers } from "./methods/create-handlers.ts";
import { registerMethods } from "./methods/register-methods.ts";
import { createService } from "./recovery/plugin-service.ts";

/** XWorkmate's plugin for an OpenClaw gateway. */
const plugin = {
	id: "xworkmate",
	name: "XWorkmate",
	description: "Gives each XWorkmate run a folder for its files, keeps the run's state, and serves the files that the run delivered.",
	/** Called several times in a process, also by commands that only inspect plugins, so it does not touch the disk. */
	register(api: PluginApi): void {
		const core = () => sharedCore(api);
		registerMethods(api, () => createHandlers(api, core()));
		registerHooks(api, core);
		api.registerHttpRoute({
			path: OPENCLAW_ARTIFACT_ROUTE,
			auth: "gateway",
			match: "prefix",
			handler: async (request, response) => {
				await serveArtifacts(request, response, { registry: core().registry, sealed: core().sealed, logger: api.logger });
				return true;
			},
		});
		api.registerService(createService(api));
	},
};

export default plugin;
