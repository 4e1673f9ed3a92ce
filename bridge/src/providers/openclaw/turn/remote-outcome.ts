import { type OpenClawTask, openClawWorkUnknown } from "@xworkmate/contracts";
import type { ProviderOutcome, ProviderUpdate } from "../../../ports/runs/run-event.ts";
import { firstBytes } from "../../preview.ts";
import type { GatewayWitness } from "../gateway/gateway-api.ts";

const MESSAGE_BYTES = 2_048;
const UNCONFIRMED =
	"OpenClaw reports that the run has ended, but its XWorkmate plugin did not confirm that it was stopped. Commands that the run had started may still be running.";
const UNREAD = "because OpenClaw's list of tasks could not be read.";

/** The outcome of a run whose end is unknown, for example because the gateway can't be reached or was restarted. */
export function lostRun(message: string): ProviderOutcome {
	return { kind: "lost", code: "GATEWAY_LOST", message };
}

function stoppedRun({ cancelRequested, atWork = [] }: OpenClawTask): ProviderOutcome {
	const remote = !cancelRequested;
	if (atWork.length === 0) return { kind: "cancelled", remote };
	const message = isUnknown(atWork)
		? `The run was stopped, but it isn't known whether everything that it started has ended, ${UNREAD}`
		: `The run was stopped, but the following could not be stopped on the gateway: ${names(atWork)}.`;
	return { kind: "cancelled", remote, incomplete: firstBytes(message, MESSAGE_BYTES).toWellFormed() };
}

/**
 * True if the list contains the placeholder for an unknown list. Perhaps nothing is running, so the placeholder must not be shown as a
 * name.
 */
function isUnknown(atWork: readonly string[]): boolean {
	return atWork.includes(openClawWorkUnknown);
}

function names(atWork: readonly string[]): string {
	return atWork.map((name) => `\`${name}\``).join(", ");
}

/** The outcome of a failed run; the only place that uses OPENCLAW_AGENT_ERROR. */
function failedRun(words: string | undefined): ProviderOutcome {
	const message = words === undefined || words === "" ? "OpenClaw ended the run with an error and gave no reason." : words;
	return { kind: "failed", code: "OPENCLAW_AGENT_ERROR", message: firstBytes(message, MESSAGE_BYTES).toWellFormed() };
}

/** Reports work that the run started and that is still running, for the run's log; empty if there is none, or the run was stopped. Pure. */
export function workNotice({ state, atWork = [] }: OpenClawTask): readonly ProviderUpdate[] {
	if (atWork.length === 0 || state === "cancelled") return [];
	const message = isUnknown(atWork)
		? `It isn't known whether anything that the run started is still running on the gateway, ${UNREAD}`
		: `Still running on the gateway: ${names(atWork)}. What happens there from now on is not part of the run.`;
	return [{ kind: "notice", level: "warning", code: "WORK_GOES_ON", message: firstBytes(message, MESSAGE_BYTES).toWellFormed() }];
}

/** How a run ended, as the plugin recorded it; undefined before its end. Pure. */
export function outcomeOf(task: OpenClawTask): ProviderOutcome | undefined {
	switch (task.state) {
		case "completed":
			return { kind: "ended" };
		case "failed":
			return task.cancelRequested ? stoppedRun(task) : failedRun(task.error);
		case "cancelled":
			return stoppedRun(task);
		case "lost":
			return lostRun("The OpenClaw gateway was restarted during the run; its outcome is unknown.");
		case "prepared":
		case "running":
			return undefined;
	}
}

/**
 * How a run ended according to the gateway, if the plugin has not noticed. Undefined while the run continues, and for a run that the
 * gateway does not know, because the gateway reports no end for it. Pure.
 */
export function witnessedOutcome(witness: GatewayWitness, stopped: boolean): ProviderOutcome | undefined {
	if (witness.endedAt === undefined) return undefined;
	if (witness.status === "ok") return { kind: "ended" };
	if (stopped && witness.status === "error") return { kind: "cancelled", remote: false, incomplete: UNCONFIRMED };
	if (witness.status === "error" || witness.status === "timeout") return failedRun(witness.error);
	return undefined;
}
