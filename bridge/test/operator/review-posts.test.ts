import { ContractError, DeliveryAction, Occurrence, type OccurrenceId, type Plan, Sha256 } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { Outbox } from "../../src/operator/discord/outbox.ts";
import type { PlanReviews } from "../../src/operator/discord/reviews/plan-reviews.ts";
import { ReviewPosts } from "../../src/operator/discord/reviews/review-posts.ts";

const occurrenceId = "plan1-2" as OccurrenceId;
const unknown = { actionId: "plan1-2-1", channel: "whatsapp", status: "unknown", code: "NO_ANSWER", attempts: 1 };

/** Posts of one message, and the texts that its post has had. `become` changes the message. */
function scene() {
	const texts: string[] = [];
	/** The file of the post after each edit of it; undefined if the edit kept the file that was there. */
	const files: (string | null | undefined)[] = [];
	let preview: string | undefined;
	const posted = new Map<string, string>();
	let action: object = unknown;
	let status = "needs_review";
	const occurrence = () =>
		Occurrence.parse({
			...{ occurrenceId, planId: "plan1", kind: "manual", dueAt: "2026-04-01T08:00:00.000Z", status },
			...{ runs: [], work: [], delivery: [DeliveryAction.parse(action)], revision: 7 },
		});
	const plans: Partial<PlanReviews["plans"]> = {
		get: async () => ({ title: "A plan", threadId: "plan1" }) as Plan,
		preview: async () => {
			if (preview === undefined) throw new ContractError("NOT_FOUND");
			const sha256 = Sha256.parse("a".repeat(64));
			const parts = [{ kind: "text" as const, mediaType: "text/plain", text: preview, bytes: preview.length, sha256 }];
			return { payloadHash: sha256, size: preview.length, parts, lint: [] };
		},
		occurrences: async () => ({ items: [occurrence()] }),
		feed: { last: async () => 0, read: async () => [], isOver: async () => true, onChanged: () => () => undefined },
	};
	const outbox: Partial<Outbox> = {
		kindsOf: async () => [...posted.keys()],
		post: async ({ kind, content }) => {
			if (!posted.has(kind)) texts.push(content);
			posted.set(kind, "2001");
			return "2001";
		},
		posted: async () => ({ channel: "400", message: "2001" }),
		isNoted: async (_about, kind) => posted.has(kind),
		note: async (_about, kind) => void posted.set(kind, "2001"),
		edit: async (_channel, _message, { content, file }) => {
			texts.push(content);
			files.push(file?.data ?? (file as null | undefined));
			return "done";
		},
	};
	const errors: unknown[] = [];
	const posts = new ReviewPosts({
		...{ plans: plans as PlanReviews["plans"], outbox: outbox as Outbox, user: () => "200", appUrl: undefined },
		discordOwner: () => "you",
		wire: { direct: async () => "400" },
		log: (error) => void errors.push(error),
	});
	const become = async (change: object, next = "needs_review") => {
		action = { ...unknown, ...change };
		status = next;
		posts.lookAgain(occurrenceId);
		await new Promise((resolve) => setImmediate(resolve));
		expect(errors).toEqual([]);
	};
	const reads = (text: string) => {
		preview = text;
	};
	return { become, reads, texts, files };
}

it("adds to the post of a message what its channel reports after the outcome was recorded, once", async () => {
	const { become, texts } = scene();
	await become({});
	const settled = { status: "failed", code: "NOT_SENT", settledBy: "user" };
	await become(settled);
	await become(settled);
	expect(texts.slice(1)).toEqual(["**Not sent, as you recorded**: By WhatsApp to you, A plan"]);
	const later = [{ at: "2026-04-01T09:00:00.000Z", message: "The channel says that it was delivered after all." }];
	await become({ ...settled, proof: "delivered", later });
	await become({ ...settled, proof: "delivered", later });
	expect(texts.slice(2)).toEqual(["**Delivered**: By WhatsApp to you, A plan\nThe channel says that it was delivered after all\\."]);
});

it("doesn't promise to send a message whose work is being done again", async () => {
	const { become, texts } = scene();
	await become({ status: "needs_review", code: "GATE_DECLINED" });
	await become({ status: "pending", code: undefined }, "running");
	expect(texts.slice(1)).toEqual(["**The work is being done again**: By WhatsApp to you, A plan"]);
});

it("attaches the text that would be sent now, not an earlier one, and none once the message is decided", async () => {
	const { become, reads, texts, files } = scene();
	const waiting = { status: "needs_review", code: "SEND_LIMIT" };
	reads("An old line.\n".repeat(500));
	await become(waiting);
	const edited = "A new line.\n".repeat(500);
	reads(edited);
	await become(waiting);
	reads("Short.");
	await become(waiting);
	await become({ status: "failed", code: "DISCARDED" });
	expect(texts.map((text) => text.includes("The whole text is attached."))).toEqual([true, true, false, false]);
	expect(files).toEqual([edited, null, null]);
});
