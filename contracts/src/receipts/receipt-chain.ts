import { sha256 as nobleSha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { RunId, Sha256, Timestamp } from "../ids/ids.ts";
import type { PlanId } from "../ids/plan-id.ts";
import { canonicalJson } from "../json/canonical-json.ts";
import type { Receipt, ReceiptDraft, ReceiptId } from "./receipt.ts";

/** The run or the plan whose receipts a chain holds. */
export type ChainOwner = { readonly runId: RunId; readonly planId?: undefined } | { readonly planId: PlanId; readonly runId?: undefined };

/** The end of a chain: how many receipts it has, and the hash of the last one. */
export interface ChainHead {
	readonly count: number;
	readonly hash: Sha256;
}

/** sha256 of a text's UTF-8, in hex. */
export function sha256Of(text: string): Sha256 {
	return bytesToHex(nobleSha256(utf8ToBytes(text)));
}

/**
 * sha256 of a value's canonical JSON, as in a call's `inputHash` and `outputHash`.
 * @throws TypeError for a value that has no canonical form
 */
export function hashOf(value: unknown): Sha256 {
	return sha256Of(canonicalJson(value));
}

/** The head of a run without receipts. */
export function emptyChain(runId: RunId): ChainHead {
	return { count: 0, hash: sha256Of(`xworkmate.receipts.v1\n${runId}`) };
}

/** The head of a plan without receipts. */
export function emptyPlanChain(planId: PlanId): ChainHead {
	return { count: 0, hash: sha256Of(`xworkmate.receipts.v1\nplan\n${planId}`) };
}

/** The head of a chain without receipts. */
export function emptyChainOf({ runId, planId }: ChainOwner): ChainHead {
	return planId === undefined ? emptyChain(runId) : emptyPlanChain(planId);
}

/** The next receipt of a run's chain. Pure. `sha256`: a faster implementation, if the platform has one. */
export function chained(
	runId: RunId,
	head: ChainHead,
	at: Timestamp,
	draft: ReceiptDraft,
	sha256: (text: string) => Sha256 = sha256Of,
): Receipt {
	return linked(runId, { runId }, head, at, draft, sha256);
}

/** The next receipt of a plan's chain. Pure. `sha256`: a faster implementation, if the platform has one. */
export function chainedOfPlan(
	planId: PlanId,
	head: ChainHead,
	at: Timestamp,
	draft: ReceiptDraft,
	sha256: (text: string) => Sha256 = sha256Of,
): Receipt {
	return linked(planId, { planId }, head, at, draft, sha256);
}

function linked(
	id: string,
	owner: ChainOwner,
	head: ChainHead,
	at: Timestamp,
	draft: ReceiptDraft,
	sha256: (text: string) => Sha256,
): Receipt {
	const n = head.count + 1;
	const receipt = { receiptId: `${id}.${n}` as ReceiptId, ...owner, n, at, ...draft, prevHash: head.hash };
	return { ...receipt, hash: sha256(canonicalJson(receipt)) };
}
