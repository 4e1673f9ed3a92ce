import type { DeliveryAction, Grounding, Occurrence } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { decideRestored } from "../../../src/plans/domain/decide-restored.ts";
import { openOne } from "../../store/contracts/plan-fixture.ts";
import { done, Story } from "./plan-story.ts";

const grounding: Grounding = { state: "unverified", problems: [] };

function held(): Story {
	return new Story([{ channel: "email" }]).due().worked({ ...done("The answer"), grounding });
}

function restored(story: Story): boolean {
	return story.decides((state) => decideRestored(openOne(state)));
}

it("marks a message that needed a review before the restore, whatever the reason was, and keeps that reason", () => {
	const stories = [held(), new Story([{ channel: "email" }]).due().worked({ run: { status: "interrupted" }, output: "" })];
	for (const story of stories) {
		const { status, code, revision } = { ...story.newest, ...story.newest?.delivery[0], revision: story.newest?.revision ?? 0 };
		expect(restored(story)).toBe(true);
		expect(story.newest?.delivery).toMatchObject([{ status, code, mayHaveBeenSent: true }]);
		// A decision that was made about the message without the mark is not applied.
		expect(story.newest).toMatchObject({ status: "needs_review", revision: revision + 1 });
		expect(restored(story)).toBe(false);
	}
});

it("keeps the code of a due time that was missed", () => {
	const story = held();
	story.state = {
		...story.state,
		open: story.state.open.map((one) => ({ ...one, occurrence: { ...one.occurrence, code: "MISSED" as const } })),
	};
	restored(story);
	expect(story.newest).toMatchObject({ status: "needs_review", code: "MISSED" });
});

it("holds a pending message for the restore alone, and leaves one that is over or unknown as it is", () => {
	const story = new Story([
		{ channel: "dashboard", content: "One" },
		{ channel: "email", content: "Two" },
		{ channel: "email", content: "Three" },
	]).due();
	story.sent(0, { kind: "accepted", proof: "delivered" });
	story.sent(1, { kind: "no_answer", message: "cut" });
	restored(story);
	expect(story.statuses).toEqual(["completed", "unknown NO_ANSWER", "needs_review STORE_RESTORED"]);
	for (const action of story.newest?.delivery ?? []) expect(action).not.toHaveProperty("mayHaveBeenSent");
	expect(restored(story)).toBe(false);
});

it("records with the decision that the message may have been sent, and marks no text that is written afterwards", () => {
	const sent = held();
	restored(sent);
	sent.review({ kind: "send", payloads: {} });
	const discarded = held();
	restored(discarded);
	discarded.review({ kind: "discard" });
	const again = held();
	restored(again);
	again.review({ kind: "rerun" });
	again.worked({ ...done("Another answer"), grounding });
	const heldFor = ["UNVERIFIED_CLAIM", "STORE_RESTORED"];
	expect(sent.newest?.delivery).toMatchObject([{ status: "pending", heldFor }]);
	expect(discarded.newest?.delivery).toMatchObject([{ status: "failed", heldFor }]);
	expect(again.newest?.delivery).toMatchObject([{ status: "needs_review", code: "UNVERIFIED_CLAIM" }]);
	for (const { newest } of [sent, discarded, again]) expect(newest?.delivery[0]).not.toHaveProperty("mayHaveBeenSent");
});

it("tells of each message on its own, so that the plan's log says what waits for the user", () => {
	const story = new Story([{ channel: "email" }, { channel: "email", content: "Given" }, { channel: "dashboard", content: "Given" }]).due();
	story.worked({ ...done("The answer"), grounding });
	const events = decideRestored(openOne(story.state));
	expect(events.map(({ body }) => "action" in body && [body.kind, body.action?.code, body.action?.mayHaveBeenSent])).toEqual([
		["task:review", "UNVERIFIED_CLAIM", true],
		["task:review", "STORE_RESTORED", undefined],
		["task:review", "STORE_RESTORED", undefined],
	]);
});

it("marks a message that failed and can be sent again, once, and changes nothing else about it", () => {
	const story = new Story([{ channel: "email", content: "One" }]).due();
	story.sent(0, { kind: "refused", code: "RECIPIENT_REFUSED", message: "no such user", fix: "Check the address." });
	const failed = story.newest?.delivery[0];
	const one = { occurrence: story.newest as Occurrence, claims: {} };
	const [event, ...more] = decideRestored(one);
	expect(more).toEqual([]);
	expect(event?.body).toMatchObject({ kind: "task:delivery", action: { ...failed, mayHaveBeenSent: true } });
	story.decides(() => decideRestored(one));
	expect(story.newest).toMatchObject({ ...one.occurrence, revision: one.occurrence.revision + 1, delivery: [{ mayHaveBeenSent: true }] });
	expect(decideRestored({ occurrence: story.newest as Occurrence, claims: {} })).toEqual([]);
});

it.each(["DISCARDED", "CANCELLED"] as const)("marks a message that was dropped, because it may have been sent after all: %s", (code) => {
	const story = new Story([{ channel: "email", content: "One" }]).due();
	story.sent(0, { kind: "refused", code: "RECIPIENT_REFUSED", message: "no such user", fix: "Check the address." });
	const { delivery, ...rest } = story.newest as Occurrence;
	const dropped = { ...rest, delivery: delivery.map((action) => ({ ...action, code })) };
	const [event] = decideRestored({ occurrence: dropped, claims: {} });
	expect(event?.body).toMatchObject({ action: { status: "failed", code, mayHaveBeenSent: true } });
});

it.each<[string, Partial<DeliveryAction>]>([
	["had nothing to say", { code: "NOTHING_TO_SAY" }],
	["has no text", { content: undefined }],
	["was delivered after all", { proof: "delivered" }],
])("doesn't mark a message that %s", (_how, change) => {
	const story = new Story([{ channel: "email", content: "One" }]).due();
	story.sent(0, { kind: "refused", code: "RECIPIENT_REFUSED", message: "no such user", fix: "Check the address." });
	const { delivery, ...rest } = story.newest as Occurrence;
	const changed = delivery.map((action) => ({ ...action, ...change }));
	expect(decideRestored({ occurrence: { ...rest, delivery: changed }, claims: {} })).toEqual([]);
});
