import type { Activity } from "../activity/activity.ts";
import type { ClaimReason, GroundingProblem, GroundingProblemCode } from "./answer.ts";
import { type Claim, claimsOf } from "./claims.ts";
import { filesIn } from "./named-files.ts";

/** The most problems that an answer can have. */
const MOST = 100;

/**
 * The sentences of the assistant's text that claim an effect which no receipt backs. If no write succeeded, or if one failed, receipts back
 * no claim at all, because words do not tell which sentence is about which call. A claim that something was created is accepted if the run
 * delivered a file, which is its own proof. `delivered`: how many files the run delivered. Pure.
 */
export function checkClaims(text: string, activity: Activity | undefined, delivered: number): readonly GroundingProblem[] {
	const isLacking = activity !== undefined && lacks(activity);
	if (activity !== undefined && activity.completed > 0 && !isLacking) return [];
	const unbacked = claimsOf(text, { most: MOST, isWanted: ({ isOfFile }) => isLacking || delivered === 0 || !isOfFile });
	return problems(unbacked, isLacking ? "CLAIM_WITHOUT_SUCCESS" : "CLAIM_WITHOUT_ACTION");
}

/** True if a call that does more than read did not succeed, or may not have succeeded, because a truncated list can omit one. */
function lacks({ items, counts, truncated }: Activity): boolean {
	const { failed, denied, pending, unknown } = counts;
	return (
		items.some(({ origin, risk, status }) => origin === "executed" && risk !== "read" && status !== "succeeded") ||
		(truncated && failed + denied + pending + unknown > 0)
	);
}

/**
 * Does the same for an agent whose calls the bridge does not make. The only evidence that it can give is that it reports a call beyond
 * reading as done, or that a file exists; neither counts for a call that was denied, or for a file that does not exist. `isMessage`: the
 * text is a message to be sent, and may be a report. `lacking`: names of files that were looked for and not found.
 */
export function checkAgentClaims(
	text: string,
	activity: Activity | undefined,
	delivered: number,
	{ isMessage = false, lacking = new Set() }: { readonly isMessage?: boolean; readonly lacking?: ReadonlySet<string> } = {},
): readonly GroundingProblem[] {
	const beyondReading = activity?.items.filter(({ risk }) => risk !== "read") ?? [];
	// Words do not tell which sentence is about the denied call.
	if (activity?.items.some(({ unpermitted }) => unpermitted === "denied")) {
		return problems(claimsOf(text, { most: MOST, isMessage }), "CLAIM_WITHOUT_SUCCESS", "denied");
	}
	if (delivered === 0 && !beyondReading.some(({ status }) => status === "succeeded")) {
		return problems(claimsOf(text, { most: MOST, isMessage }), beyondReading.length > 0 ? "CLAIM_WITHOUT_SUCCESS" : "CLAIM_WITHOUT_ACTION");
	}
	if (lacking.size === 0) return [];
	const isWanted = (claim: Claim) => {
		const names = filesIn(text, claim);
		return names.length > 0 && names.every((name) => lacking.has(name));
	};
	return problems(claimsOf(text, { most: MOST, isMessage, isWanted }), "CLAIM_WITHOUT_SUCCESS", "no_file");
}

/** The last problem covers all the claims that are left, so that none goes unmarked. */
function problems(claims: readonly Claim[], code: GroundingProblemCode, reason?: ClaimReason): readonly GroundingProblem[] {
	const end = claims.at(-1)?.end ?? 0;
	return claims
		.slice(0, MOST)
		.map((claim, index) => ({ code, start: claim.start, end: index === MOST - 1 ? end : claim.end, ...(reason && { reason }) }));
}
