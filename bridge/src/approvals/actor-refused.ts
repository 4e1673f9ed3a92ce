import { type Approval, omitUndefined, type ReceiptDraft } from "@xworkmate/contracts";

/** What is left in a run's chain when someone who may not answer a request tried to. Pure. */
export function actorRefused({ approvalId, toolCallId, toolId, risk, inputHash }: Approval, actor: string): ReceiptDraft {
	const call = omitUndefined({ toolCallId, toolId, risk });
	return { type: "approval.actor_refused", origin: "executed", ...call, inputHash, detail: { approvalId, actor: actor.slice(0, 300) } };
}
