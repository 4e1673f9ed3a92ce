import type { DeliveryAction } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideProof, decideSettle } from "../../../src/plans/domain/decide-delivery.ts";
import { decideNews, type NewsTerms } from "../../../src/plans/domain/decide-news.ts";
import type { SendOutcome } from "../../../src/ports/channels/channel.ts";
import type { MessageNews } from "../../../src/ports/channels/channel-news.ts";
import type { OpenOccurrence } from "../../../src/ports/plans/plan-event.ts";
import { actionOf, openOne, second } from "../../store/contracts/plan-fixture.ts";
import { now, Story } from "./plan-story.ts";

const accepted: SendOutcome = { kind: "accepted", proof: "accepted", awaitsProof: true, providerMessageId: "wamid.1" };
const silent: SendOutcome = { kind: "no_answer", message: "cut" };
const proved = (proof: "accepted" | "sent" | "delivered" | "read"): MessageNews => ({ kind: "proved", proof });
const failed: MessageNews = { kind: "failed", code: "RECIPIENT_REFUSED", message: "no such number", fix: "check it" };
const closed: MessageNews = { kind: "held", code: "WINDOW_CLOSED", message: "the window is closed", fix: "wait" };
const terms: NewsTerms = { providerMessageId: "wamid.1", saidAt: second(5), now, confirmMs: 600_000, epoch: 1 };

/** The message after news of it, whether its occurrence is over or not. */
class Told extends Story {
	told(news: MessageNews, more: Partial<NewsTerms> = {}): boolean {
		return this.decides((state) => {
			const [open = { occurrence: this.occurrence, claims: {} }] = state.open;
			return decideNews(open, actionOf(open), news, { ...terms, ...more });
		}, 5);
	}

	get occurrence(): OpenOccurrence["occurrence"] {
		if (this.newest === undefined) throw new Error("nothing has come due");
		return this.newest;
	}

	get action(): DeliveryAction {
		const [action] = this.occurrence.delivery;
		if (action === undefined) throw new Error("there is no message");
		return action;
	}
}

const story = (outcome: SendOutcome) => new Told([{ channel: "whatsapp", content: "Given" }]).due().sent(0, outcome) as Told;

describe.each([
	["that was accepted", accepted],
	["whose outcome is not known", silent],
])("news of a message %s", (_what, outcome) => {
	it.each([
		[proved("delivered"), { status: "completed", proof: "delivered", completedAt: second(5) }],
		[proved("read"), { status: "completed", proof: "read" }],
		[proved("sent"), { status: "sending", stage: "accepted", proof: "sent" }],
		[failed, { status: "failed", code: "RECIPIENT_REFUSED", message: "no such number", fix: "check it" }],
		[closed, { status: "needs_review", code: "WINDOW_CLOSED", message: "the window is closed", fix: "wait" }],
	] as const)("%j", (news, expected) => {
		const one = story(outcome);
		expect(one.told(news)).toBe(true);
		expect(one.action).toMatchObject(expected);
		expect(one.told(news)).toBe(false);
	});

	it("in any order and however often give the same, but for what was final first", () => {
		const all = [proved("sent"), proved("delivered"), proved("read"), failed, closed];
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...all), { minLength: 1, maxLength: 8 }), (news) => {
				const one = story(outcome);
				for (const each of news) one.told(each);
				const proofs = news.flatMap((each) => (each.kind === "proved" ? [each.proof] : []));
				const arrived = proofs.includes("delivered") || proofs.includes("read");
				const firstFinal = news.find((each) => each.kind !== "proved" || each.proof !== "sent");
				const { status, proof } = one.action;
				if (arrived) expect(proof).toBe(proofs.includes("read") ? "read" : "delivered");
				if (firstFinal === undefined) expect([status, proof]).toEqual(["sending", "sent"]);
				else if (arrived) expect(status).toBe(firstFinal.kind === "failed" ? "failed" : "completed");
				else expect([status, proof]).toEqual([firstFinal.kind === "failed" ? "failed" : "needs_review", undefined]);
			}),
		);
	});
});

describe("news of a message that is over", () => {
	it("raise its proof, and never lower it", () => {
		const one = story(accepted);
		one.told(proved("delivered"));
		expect([one.told(proved("sent")), one.told(proved("read")), one.told(proved("delivered"))]).toEqual([false, true, false]);
		expect(one.action).toMatchObject({ status: "completed", proof: "read" });
		expect(one.occurrence.status).toBe("completed");
	});

	it("are noted if it failed after it counted as sent, once, and the status stays", () => {
		const one = story(accepted);
		one.told(proved("sent"));
		one.decides((state) => decideProof(openOne(state), actionOf(openOne(state)), { kind: "silent" }, second(4)));
		expect(one.action).toMatchObject({ status: "completed", proof: "sent" });
		expect([one.told(failed), one.told(failed)]).toEqual([true, false]);
		expect(one.action).toMatchObject({ status: "completed", proof: "sent", later: [{ at: second(5), message: "no such number" }] });
		expect(one.told(proved("delivered"))).toBe(true);
		expect([one.told(closed), one.action.proof, one.occurrence.status]).toEqual([false, "delivered", "completed"]);
	});

	it("that say when it was sent give it that time, even if nothing more was heard until much later", () => {
		const one = story(accepted);
		one.told(proved("sent"), { saidAt: second(3) });
		one.decides((state) => decideProof(openOne(state), actionOf(openOne(state)), { kind: "silent" }, second(9)), 9);
		expect(one.action).toMatchObject({ status: "completed", proof: "sent", completedAt: second(3) });
	});

	it("say of one that failed that it arrived after all, and it stays failed", () => {
		const one = story(accepted);
		one.told(failed);
		expect(one.told(proved("delivered"))).toBe(true);
		expect(one.action).toMatchObject({
			status: "failed",
			proof: "delivered",
			later: [{ message: expect.stringContaining("delivered after all") }],
		});
		expect(one.occurrence.status).toBe("failed");
	});

	it("do not change what a person has settled", () => {
		const one = story(silent);
		one.decides((state) => decideSettle(openOne(state), actionOf(openOne(state)), "sent", "person", second(3)));
		one.told(failed);
		expect(one.action).toMatchObject({ status: "completed", settledBy: "person", later: [{ message: "no such number" }] });
	});

	it("are at most twenty", () => {
		const one = story({ kind: "accepted", proof: "accepted", providerMessageId: "wamid.1" });
		for (let n = 0; n < 30; n++) one.told({ ...failed, message: `failure ${n}` });
		expect(one.action.later).toHaveLength(20);
	});
});

describe("news of an attempt that is not surely the last one", () => {
	/** Held by the channel's word after its first attempt, sent again by a person. */
	function sentAgain(outcome: SendOutcome): Told {
		const one = story(accepted);
		one.told(closed);
		expect(one.review({ kind: "send", payloads: {} })).toBe(true);
		return one.sent(0, outcome) as Told;
	}

	it("do not end the last one", () => {
		const one = sentAgain({ ...accepted, providerMessageId: "wamid.2" });
		expect([one.told(failed), one.told(closed), one.told(proved("sent"))]).toEqual([false, false, false]);
		expect(one.told(failed, { attempt: 1, providerMessageId: undefined })).toBe(false);
		expect(one.told(proved("delivered"))).toBe(false);
		expect(one.told(proved("delivered"), { providerMessageId: "wamid.2" })).toBe(true);
		expect(one.action).toMatchObject({ status: "completed", attempts: 2 });
	});

	it("prove that the message arrived, if nobody knows what happened to the last one", () => {
		const one = sentAgain(silent);
		expect([one.told(failed), one.told(proved("sent"))]).toEqual([false, false]);
		expect(one.told(proved("delivered"))).toBe(true);
		expect(one.action.status).toBe("completed");
	});

	it("keep a message that waits to be sent again from being sent", () => {
		const one = story(accepted);
		one.told(closed);
		expect(one.told(proved("delivered"))).toBe(true);
		expect(one.action).toMatchObject({ status: "completed", proof: "delivered" });
		expect(one.action.code).toBeUndefined();
	});
});

it("news of a message that is in someone's hands decide nothing", () => {
	const one = new Told([{ channel: "whatsapp", content: "Given" }]).due() as Told;
	one.claim();
	one.handOver();
	expect([one.told(proved("delivered")), one.told(failed)]).toEqual([false, false]);
});
