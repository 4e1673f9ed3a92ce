import { type OpenClawParams, type OpenClawRunRef, type OpenClawTask, omitUndefined } from "@xworkmate/contracts";
import type { AutoResetEvent } from "@xworkmate/platform/async";
import type { ProviderTurn, TurnSink } from "../../../ports/agents/provider.ts";
import type { GatewayApi } from "../gateway/gateway-api.ts";
import type { GatewayBounds } from "../gateway/gateway-bounds.ts";
import { isPluginCode } from "../gateway/gateway-error.ts";
import { newSessionKey } from "./session-key.ts";

/** Delay between two checks of whether a busy conversation has become idle. */
const BUSY_LOOK_MS = 1_000;

export interface Preparing {
	readonly ref: OpenClawRunRef;
	readonly stop: AbortSignal;
	readonly wake: AutoResetEvent;
	/** Called when the conversation stays busy, so the run is moved to a new one. */
	readonly onNewConversation: (ref: OpenClawRunRef) => void;
}

/**
 * Registers the run with the plugin, in its conversation or, if that stays busy past `busyMs`, in a new one. The conversation is saved
 * before the gateway gets the run. Undefined if the run was stopped before that.
 * @throws GatewayRefusal, GatewayLost, GatewayProtocolError; errors of the sink
 */
export async function prepareRun(
	{ api, bounds }: { readonly api: GatewayApi; readonly bounds: GatewayBounds },
	turn: ProviderTurn,
	sink: TurnSink,
	{ ref, stop, wake, onNewConversation }: Preparing,
): Promise<OpenClawTask | undefined> {
	let prepared = ref;
	const save = () => sink.saveSession({ providerSessionId: prepared.sessionKey, workingDirectory: turn.workingDirectory });
	await save();
	const busyUntil = performance.now() + bounds.busyMs;
	while (!stop.aborted) {
		try {
			return await api.plugin("xworkmate.session.prepare", preparation(turn, prepared));
		} catch (error) {
			if (!isPluginCode(error, "SESSION_BUSY")) throw error;
			if (performance.now() < busyUntil) {
				await wake.wait(BUSY_LOOK_MS);
				continue;
			}
			const sessionKey = newSessionKey(turn.threadId, turn.runId);
			if (sessionKey === prepared.sessionKey) throw error;
			prepared = { ...ref, sessionKey };
			onNewConversation(prepared);
			await save();
		}
	}
	return undefined;
}

function preparation({ workspaceContext, earlier }: ProviderTurn, ref: OpenClawRunRef): OpenClawParams<"xworkmate.session.prepare"> {
	return {
		...ref,
		hold: "effects",
		...omitUndefined({ context: workspaceContext }),
		...(earlier === undefined ? {} : { earlier: { runId: earlier.runId, paths: [...earlier.paths] } }),
	};
}
