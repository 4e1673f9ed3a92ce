import { type Approval, omitUndefined } from "@xworkmate/contracts";
import type { RunCommand } from "../runs/domain/decide.ts";

/** Records in a run's chain that an actor without permission tried to answer a request. Pure. */
export function actorRefused({ approvalId, runId, toolCallId, toolId, risk, inputHash }: Approval, actor: string) {
	const call = omitUndefined({ toolCallId, toolId, risk });
	const detail = { approvalId, actor: actor.slice(0, 300) };
	const draft = { type: "approval.actor_refused", origin: "executed", ...call, inputHash, detail } as const;
	return { type: "record", runId, drafts: [draft] } as const satisfies RunCommand;
}
