import { Occurrence, Plan } from "@xworkmate/contracts";

export const AT = "2026-11-23T09:00:00.000Z";
const HASH = "5d1c9e07a44b".padEnd(64, "0");

/** A plan's newest occurrence with one email that waits for the user. */
export function occurrence(change: object = {}): Occurrence {
	return Occurrence.parse({
		occurrenceId: "p1-1",
		planId: "p1",
		kind: "scheduled",
		dueAt: AT,
		status: "needs_review",
		runs: [{ runId: "r1", threadId: "plan-p1", turnId: "p1-1-1", status: "completed" }],
		work: [{ description: "Summarise open orders", status: "completed" }],
		delivery: [action()],
		gate: { valid: true },
		deliverable: { text: "Two of 31 open orders are **late**.", sha256: HASH, source: "model" },
		revision: 4,
		...change,
	});
}

export function action(change: object = {}) {
	return {
		channel: "email",
		recipient: "anna",
		actionId: "p1-1-1",
		status: "needs_review",
		code: "UNVERIFIED_CLAIM",
		attempts: 0,
		...change,
	};
}

export function plan(change: object = {}): Plan {
	const one = occurrence();
	return Plan.parse({
		planId: "p1",
		threadId: "plan-p1",
		type: "recurring",
		title: "Supplier update",
		instructions: "Summarise",
		work: one.work,
		delivery: one.delivery,
		cron: "0 9 * * 3",
		timezone: "Asia/Bangkok",
		overlap: "skip",
		conversation: "fresh",
		whenDeclined: "review",
		createdAt: AT,
		status: "needs_review",
		revision: 1,
		nextDueAt: "2026-11-25T02:00:00.000Z",
		scheduleWords: "every Wednesday at 09:00 (Bangkok)",
		needsReview: 1,
		lastSeq: 7,
		occurrence: one,
		...change,
	});
}

export const contact = { contactId: "anna", name: "Anna", addresses: { email: "anna@example.org" } };
export const preview = {
	payloadHash: HASH,
	size: 1_234,
	parts: [
		{ kind: "headers", mediaType: "text/plain", text: "To: Anna <anna@example.org>", bytes: 27, sha256: HASH },
		{ kind: "text", mediaType: "text/plain", text: "Two of 31 open orders are late.", bytes: 31, sha256: HASH },
		{ kind: "html", mediaType: "text/html", text: "<p>Two of 31 open orders are <b>late</b>.</p>", bytes: 44, sha256: HASH },
	],
	lint: [],
};
