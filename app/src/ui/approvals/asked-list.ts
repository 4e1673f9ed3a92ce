import type { Approval } from "@xworkmate/contracts";
import { waitsWith } from "../turn/turn-parts.ts";

/** A request on Home. */
export interface ShownRequest {
	readonly approval: Approval;
	/** When this page first saw that the request was decided, by the page's own clock. */
	readonly overAt?: number;
}

interface Known {
	/** Open requests. */
	readonly pending: readonly Approval[];
	/** The newest known record of each request. */
	readonly answers: ReadonlyMap<string, Approval>;
	/** The time by this page's clock. */
	readonly now: number;
	/** True while the pointer or the focus is in the list. */
	readonly isInUse: boolean;
}

const STAYS_MS = 10_000;

/**
 * The next state of the requests on Home, with new ones last. A decided request stays with its answer for a while, and for as long as the
 * user is in the list, so that no button moves under the pointer. It is then removed, because it is no longer waiting for the user.
 */
export function nextAsked(shown: readonly ShownRequest[], { pending, answers, now, isInUse }: Known): readonly ShownRequest[] {
	const known = new Set<string>(shown.map(({ approval }) => approval.approvalId));
	const waits = new Set<string>(pending.map(({ approvalId }) => approvalId));
	const kept = shown.flatMap((one): readonly ShownRequest[] => {
		if (waits.has(one.approval.approvalId)) return [one];
		const record = answers.get(one.approval.approvalId);
		if (record === undefined || record.state === "pending") return [];
		const { overAt = now } = one;
		if (!isInUse && now - overAt >= STAYS_MS) return [];
		return [one.overAt === undefined ? { approval: record, overAt } : one];
	});
	const fresh = pending.filter(({ approvalId }) => !known.has(approvalId)).map((approval) => ({ approval }));
	const next = [...kept, ...fresh];
	return next.length === shown.length && next.every((one, index) => one === shown[index]) ? shown : next;
}

/** Groups adjacent requests that share a card: requests of one run's tools that are waiting, or were waiting, at the same time. */
export function togetherAsked(shown: readonly ShownRequest[]): readonly (readonly [Approval, ...Approval[]])[] {
	const groups: [Approval, ...Approval[]][] = [];
	for (const { approval } of shown) {
		const last = groups.at(-1);
		const isWith = approval.toolId !== undefined && last?.[0].toolId !== undefined && last.some((one) => waitsWith(one, approval));
		if (isWith) last.push(approval);
		else groups.push([approval]);
	}
	return groups;
}
