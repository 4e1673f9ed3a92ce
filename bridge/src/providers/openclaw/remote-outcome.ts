import type { OpenClawTask } from "@xworkmate/contracts";
import type { ProviderOutcome } from "../../runs/run-event.ts";
import { firstBytes } from "../preview.ts";
import type { GatewayWitness } from "./gateway-api.ts";

const MESSAGE_BYTES = 2_048;

/** The gateway stopped while the run executed, or no longer knows it. */
export function lostRun(message: string): ProviderOutcome {
	return { kind: "lost", code: "GATEWAY_LOST", message };
}

/** The one place where OPENCLAW_AGENT_ERROR comes from. */
function failedRun(words: string | undefined): ProviderOutcome {
	const message = words === undefined || words === "" ? "OpenClaw ended the run with an error and gave no reason." : words;
	return { kind: "failed", code: "OPENCLAW_AGENT_ERROR", message: firstBytes(message, MESSAGE_BYTES).toWellFormed() };
}

/** How a run ended, as the plugin recorded it; undefined while it goes on. Pure. */
export function outcomeOf(task: OpenClawTask): ProviderOutcome | undefined {
	switch (task.state) {
		case "completed":
			return { kind: "ended" };
		case "failed":
			return failedRun(task.error);
		case "cancelled":
			return { kind: "cancelled", remote: !task.cancelRequested };
		case "lost":
			return lostRun("The OpenClaw gateway was restarted while the run executed; its outcome is not known.");
		case "prepared":
		case "running":
			return undefined;
	}
}

/**
 * How a run ended by the gateway's own word, for a plugin that has not noticed; undefined while it goes on, and
 * for a run that the gateway does not know (it then waits and has no end to tell). Pure.
 */
export function witnessedOutcome(witness: GatewayWitness, stopped: boolean): ProviderOutcome | undefined {
	if (witness.endedAt === undefined) return undefined;
	if (witness.status === "ok") return { kind: "ended" };
	if (stopped && witness.status === "error") return { kind: "cancelled", remote: false };
	if (witness.status === "error" || witness.status === "timeout") return failedRun(witness.error);
	return undefined;
}
