import { errorMessage } from "@xworkmate/platform/errors";
import type { EmitDiagnostic } from "../approvals/waiting-sign.ts";
import { sharedCore, takeOverCore } from "../core/plugin-core.ts";
import type { PluginApi, PluginService } from "../host/plugin-api.ts";
import { stopResume } from "./stop-resume.ts";

/**
 * The plugin's service in the gateway: loads what an earlier gateway process left, enables events, then keeps the gateway from resuming
 * lost runs.
 */
export function createService(api: PluginApi): PluginService {
	return {
		id: "xworkmate",
		async start({ gatewayEvents }) {
			const shared = takeOverCore(api);
			if (gatewayEvents) {
				shared.emit = (event, payload) => {
					try {
						gatewayEvents.emit(event, payload, { scope: "operator.read" });
					} catch (error) {
						// The bridge also polls, so a lost event is harmless.
						api.logger.warn(`xworkmate: an event could not be sent: ${errorMessage(error)}`);
					}
				};
			}
			await stopResume(api, shared.lost);
			shared.emitDiagnostic = await loadDiagnostics(api);
		},
		async stop() {
			const shared = sharedCore(api);
			// Held calls would keep the gateway from stopping.
			shared.heldCalls.withdrawAll("the gateway is stopping");
			shared.emit = undefined;
			shared.retired = true;
		},
	};
}

/**
 * Loads a module that only the gateway has. Without the module, the gateway may treat a run as stuck if it waits a long time for the user.
 */
async function loadDiagnostics(api: PluginApi): Promise<EmitDiagnostic | undefined> {
	try {
		// biome-ignore lint/correctness/noUndeclaredDependencies: the gateway resolves it to itself; as a dependency it would weigh 650 MB.
		const { emitDiagnosticEvent } = await import("openclaw/plugin-sdk/diagnostic-runtime");
		return emitDiagnosticEvent;
	} catch (error) {
		api.logger.warn(`xworkmate: waiting calls could not be reported to the gateway's check for stuck runs: ${errorMessage(error)}`);
		return undefined;
	}
}
