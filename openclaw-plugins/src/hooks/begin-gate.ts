import { isOpenClawEnd, OpenClawSessionKey } from "@xworkmate/contracts";
import type { RunRegistry } from "../runs/run-registry.ts";
import type { HookContext } from "./hook-context.ts";

/** The mark that the gateway sets on a turn that it resumes automatically after the gateway was killed. */
const RESUMED_BY_GATEWAY = "main_session_restart_recovery";

/** Kinds of turns without a message: a finished background command, a sub-agent or a timer woke the conversation. */
const WAKING_KINDS: ReadonlySet<string> = new Set(["internal_system", "inter_session"]);
const WAKING_TRIGGERS: ReadonlySet<string> = new Set(["heartbeat", "cron"]);

export type GateDecision = { readonly outcome: "pass" } | { readonly outcome: "block"; readonly reason: string; readonly message: string };

/**
 * Whether a turn of one of our sessions may begin. A turn may not begin if its run has ended (for example, was cancelled before it began),
 * if the gateway resumes it under a new id (its run was reported as lost), or if the gateway woke the conversation after its run had ended,
 * because the user would not see what the turn does. The run of a turn that may begin counts as running from here.
 */
export function decideBegin({ runId, sessionKey, inputProvenance, trigger }: HookContext, registry: RunRegistry): GateDecision {
	if (!OpenClawSessionKey.safeParse(sessionKey).success) return { outcome: "pass" };
	if (inputProvenance?.sourceTool === RESUMED_BY_GATEWAY) return block("the gateway stopped during this run, so the run is not resumed");
	const record = runId === undefined ? undefined : registry.find(runId);
	if (record === undefined || record.sessionKey !== sessionKey) {
		const isWoken = WAKING_KINDS.has(inputProvenance?.kind ?? "") || WAKING_TRIGGERS.has(trigger ?? "");
		return isWoken
			? block("this turn does not belong to an XWorkmate run; to continue, send a new message in XWorkmate")
			: { outcome: "pass" };
	}
	if (isOpenClawEnd(record.state)) return block(`the run has already ended (${record.state})`);
	registry.change(record.runId, { kind: "begun" });
	return { outcome: "pass" };
}

function block(message: string): GateDecision {
	return { outcome: "block", reason: `xworkmate: ${message}`, message };
}
