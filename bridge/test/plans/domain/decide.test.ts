import { type Grounding, type LintFinding, RunId, ThreadId, type TurnId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { decideAgain, decideMend } from "../../../src/plans/domain/decide-again.ts";
import { decideClaim, decideHandOver, decideOutcome, decideProof, decideSettle } from "../../../src/plans/domain/decide-delivery.ts";
import { decideCancel, decideDue, decideRunKnown, resent } from "../../../src/plans/domain/decide-occurrence.ts";
import { decideChange, decideDelete, decidePause, decideResume } from "../../../src/plans/domain/decide-plan.ts";
import type { ReviewDecision } from "../../../src/plans/domain/decide-review.ts";
import { planView } from "../../../src/plans/domain/plan-state.ts";
import type { SendOutcome } from "../../../src/ports/channels/channel.ts";
import type { PlanState } from "../../../src/ports/plans/plan-event.ts";
import { actionOf, hashOf, openOne, second } from "../../store/contracts/plan-fixture.ts";
import { done, held, now, patience, Story, said } from "./plan-story.ts";

const threadId = ThreadId.parse("thread-p");
const accepted: SendOutcome = { kind: "accepted", proof: "accepted" };
const heldBack: SendOutcome = { kind: "held", code: "CHANNEL_AUTH", message: "no", fix: "sign in" };
const edit: ReviewDecision = { kind: "edit", deliverable: { ...said("Mine"), source: "person" }, payloads: {} };

describe("a message", () => {
	it("is not claimed before its work is over", () => {
		const story = new Story([{ channel: "email" }, { channel: "dashboard", content: "Given" }]).due();
		expect(story.newest?.status).toBe("running");
		expect([story.claim(0), story.claim(1)]).toEqual([false, false]);
		story.worked(done("The answer"));
		expect([story.claim(0), story.claim(1)]).toEqual([true, true]);
	});

	it("waits for a person if its work has no words for it", () => {
		const story = new Story([{ channel: "email" }]).due().worked({ run: { status: "completed" }, output: "work" });
		expect(story.statuses).toEqual(["needs_review GATE_MISSING"]);
	});

	it("is held for a claim that only its files back, unless they are sent with it", () => {
		const grounding: Grounding = { state: "unverified", problems: [{ code: "CLAIM_WITHOUT_ACTION", start: 0, end: 3 }] };
		const to = [{ channel: "email", attach: true }, { channel: "email" }, { channel: "dashboard", attach: true }] as const;
		const held = (result: object) => new Story([...to]).due().worked({ ...done("The answer"), grounding, ...result }).statuses;
		const isHeld = "needs_review UNVERIFIED_CLAIM";
		expect(held({ isBackedByFiles: true })).toEqual(["pending", isHeld, isHeld]);
		expect(held({})).toEqual([isHeld, isHeld, isHeld]);
	});

	it("is handed over by the claim that holds it alone, and before its lease is over", () => {
		const story = new Story([{ channel: "dashboard", content: "Given" }]).due();
		story.claim();
		const one = openOne(story.state);
		const by = (claim: typeof held, at = now) => decideHandOver(one, actionOf(one), claim, at, { payloadHash: hashOf("b") });
		expect(by({ ...held, epoch: 2 })).toEqual([]);
		expect(by({ ...held, until: second(61) })).toEqual([]);
		expect(by(held, Date.parse(held.until))).toEqual([]);
		expect(by(held)).toHaveLength(1);
	});

	it("is tried again, then held when it was tried often enough", () => {
		const story = new Story([{ channel: "dashboard", content: "Given" }]).due();
		story.sent(0, { kind: "passing", message: "busy" });
		expect(story.newest?.delivery[0]).toMatchObject({ status: "pending", attempts: 1, notBefore: second(31), message: "busy" });
		expect(story.claim()).toBe(false);
		const later = (state: PlanState) => decideClaim(openOne(state), actionOf(openOne(state)), held, Date.parse(second(31)));
		expect(story.decides(later)).toBe(true);
		story.outcome({ kind: "no_answer", message: "cut before it was handed over" });
		expect(story.statuses).toEqual(["needs_review RETRIES_EXHAUSTED"]);
	});

	it("that its channel accepted and has not sent says so, also when no report came in time", () => {
		const message = "The channel is holding it.";
		const story = new Story([{ channel: "email", content: "Given" }]).due().sent(0, { ...accepted, awaitsProof: true, message });
		expect(story.newest?.delivery).toMatchObject([{ status: "sending", stage: "accepted", message }]);
		const silent = (state: PlanState) => decideProof(openOne(state), actionOf(openOne(state)), { kind: "silent" }, second(9));
		expect(story.decides(silent, 9)).toBe(true);
		const after = `${message} The channel reported nothing more in time.`;
		expect(story.newest?.delivery).toMatchObject([{ status: "unknown", code: "NO_CONFIRMATION", message: after }]);
	});

	it("that its channel accepted is settled by a person, as one whose outcome is not known", () => {
		for (const outcome of [
			{ ...accepted, awaitsProof: true },
			{ kind: "no_answer", message: "cut" },
		] as const) {
			const story = new Story([{ channel: "email", content: "Given" }]).due().sent(0, outcome);
			const settle = (state: PlanState) => decideSettle(openOne(state), actionOf(openOne(state)), "not_sent", "person", second(3));
			expect(story.decides(settle, 3)).toBe(true);
			expect(story.newest).toMatchObject({ status: "failed", code: "DELIVERY_FAILED", endedAt: second(3) });
			expect(story.newest?.delivery).toMatchObject([{ status: "failed", code: "NOT_SENT", settledBy: "person" }]);
		}
	});
});

describe("an occurrence", () => {
	it("ends with the event that ends it, at that time", () => {
		const story = new Story([{ channel: "dashboard", content: "Given" }]).due();
		expect(story.newest?.endedAt).toBeUndefined();
		const completes = (state: PlanState) => decideOutcome(openOne(state), actionOf(openOne(state)), 1, accepted, second(9), patience);
		story.claim();
		story.handOver();
		story.decides(completes, 9);
		expect(story.newest).toMatchObject({ status: "completed", endedAt: second(9) });
		expect(story.state.open).toEqual([]);
	});

	it("that is cancelled while it works is over, but for a message that has left", () => {
		const working = new Story([{ channel: "email" }]).due();
		working.decides((state) => decideCancel(openOne(state)));
		expect(working.newest).toMatchObject({ status: "cancelled", code: "CANCELLED", endedAt: second(1) });

		const again = new Story([{ channel: "email" }, { channel: "dashboard" }]).due().worked(done("The answer"));
		again.sent(0, { kind: "no_answer", message: "cut" }).sent(1, heldBack);
		expect(planView(again.state)).toMatchObject({ needsReview: 2, unknownOutcomes: 1 });
		expect(again.review({ kind: "rerun" })).toBe(true);
		again.decides((state) => decideCancel(openOne(state)));
		expect(again.newest?.status).toBe("needs_review");
		expect(again.statuses).toEqual(["unknown NO_ANSWER", "failed CANCELLED"]);
		expect(again.decides((state) => decideCancel(openOne(state)))).toBe(false);
	});

	it("whose work is over, or goes on in a later run, is not done anew or mended for the end of that run", () => {
		const story = new Story([{ channel: "email" }]).due();
		const turnId = story.newest?.runs[0]?.turnId as TurnId;
		const again = (state: PlanState) => decideAgain(openOne(state), turnId, { status: "interrupted" }, threadId);
		const mend = (state: PlanState) => decideMend(openOne(state), turnId, done("The answer"), threadId);
		expect([story.decides(again), story.decides(again), story.decides(mend)]).toEqual([true, false, false]);
		const later = new Story([{ channel: "email" }]).due().worked(done("The answer"));
		expect([later.decides(again), later.decides(mend), later.newest?.status]).toEqual([false, false, "delivering"]);
	});

	it("that works anew is not ended by the proof of an earlier message", () => {
		const story = new Story([{ channel: "email" }, { channel: "dashboard" }]).due().worked(done("The answer"));
		story.sent(0, { kind: "no_answer", message: "cut" }).sent(1, heldBack);
		story.review({ kind: "rerun" });
		story.decides((state) => decideProof(openOne(state), actionOf(openOne(state)), { kind: "proved", proof: "read" }, second(3)));
		expect(story.newest).toMatchObject({ status: "running", delivery: [{ status: "completed" }, { status: "pending" }] });
		expect(story.claim(1)).toBe(false);
		story.worked(done("Another answer"));
		expect(story.newest?.delivery).toMatchObject([{ content: "The answer" }, { status: "pending" }]);
		expect(story.newest?.delivery[1]).not.toHaveProperty("content");
		expect(story.newest).toMatchObject({ status: "delivering", deliverable: { text: "Another answer" }, runs: [{}, { turnId: "p-1-2" }] });
	});

	it("without messages whose run is cancelled is cancelled, one whose run fails has failed, and one that was interrupted is unknown", () => {
		const end = (status: "cancelled" | "failed" | "interrupted") => {
			const story = new Story([]);
			story.decides((state) => decideChange(state, { work: [{ description: "Look" }] }, { nextDueAt: undefined, words: "" }));
			return story.due().worked({ run: { status }, output: "" }).newest;
		};
		expect(end("cancelled")).toMatchObject({ status: "cancelled", code: "CANCELLED", work: [{ status: "cancelled" }] });
		// A time limit ends what may have been done in part.
		expect(end("interrupted")).toMatchObject({ status: "failed", code: "WORK_UNKNOWN", work: [{ status: "unknown" }] });
		expect(end("failed")).toMatchObject({ status: "failed", code: "WORK_FAILED", work: [{ status: "failed" }] });
	});

	it("whose run ended well but is no success by its own record is not verified, and its messages wait with the reason", () => {
		const doubt = "The agent reports doing something that was denied.";
		const story = new Story([{ channel: "email" }, { channel: "dashboard", content: "Given" }]);
		story.due().worked({ ...done("The answer"), doubt });
		const held = { status: "needs_review", code: "WORK_UNVERIFIED", message: doubt };
		expect(story.newest).toMatchObject({ status: "needs_review", delivery: [held, held], runs: [{ status: "completed", message: doubt }] });
		const alone = new Story([]);
		alone.decides((state) => decideChange(state, { work: [{ description: "Look" }] }, { nextDueAt: undefined, words: "" }));
		alone.due().worked({ run: { status: "completed" }, output: "", doubt });
		expect(alone.newest).toMatchObject({ status: "failed", code: "WORK_NOT_VERIFIED", work: [{ status: "unverified" }] });
	});

	it("of a time that has been is not made: the plan goes on to its next", () => {
		const story = new Story([{ channel: "dashboard", content: "Given" }]);
		const due = (seconds: number, next: number) =>
			story.decides((state) => decideDue(state, { kind: "scheduled", dueAt: second(seconds), nextDueAt: second(next) }));
		due(60, 120);
		expect([story.state.count, planView(story.state).nextDueAt]).toEqual([1, second(120)]);
		due(60, 130);
		expect([story.state.count, planView(story.state).nextDueAt]).toEqual([1, second(130)]);
		due(130, 190);
		expect(story.state.count).toBe(2);
	});

	it("of work that came too late waits as a whole, is counted, and is not sent but done or discarded", () => {
		const late = () => {
			const story = new Story([]);
			story.decides((state) => decideChange(state, { work: [{ description: "Look" }] }, { nextDueAt: second(60), words: "" }));
			story.decides((state) => decideDue(state, { kind: "scheduled", dueAt: second(60), isTooLate: true }));
			return story;
		};
		const [one, other] = [late(), late()];
		expect(planView(one.state)).toMatchObject({ status: "needs_review", needsReview: 1 });
		expect([one.review({ kind: "send", payloads: {} }), one.review(edit)]).toEqual([false, false]);
		one.review({ kind: "rerun" });
		expect(one.newest).toMatchObject({ status: "running" });
		other.review({ kind: "discard" });
		expect(other.newest).toMatchObject({ status: "cancelled", endedAt: second(1) });
	});

	it("knows its run once", () => {
		const story = new Story([{ channel: "email" }]).due();
		const turnId = story.newest?.runs[0]?.turnId;
		if (turnId === undefined) throw new Error("it has no run");
		const known = (state: PlanState) => decideRunKnown(openOne(state), turnId, RunId.parse("run-1"));
		expect([story.decides(known), story.decides(known)]).toEqual([true, false]);
	});
});

describe("a review", () => {
	/** One message completed or pending, one held. */
	const half = (first: SendOutcome) =>
		new Story([{ channel: "dashboard" }, { channel: "email" }]).due().worked(done("The answer")).sent(0, first).sent(1, heldBack);

	it("in a person's words leaves those of a message that has left, or is about to", () => {
		for (const first of [accepted, { kind: "passing", message: "busy" }] as const) {
			const story = half(first);
			expect(story.review(edit, 1)).toBe(true);
			expect(story.newest?.delivery.map(({ content }) => content ?? story.newest?.deliverable?.text)).toEqual(["The answer", "Mine"]);
		}
	});

	it("has the work done anew unless a message is still on its way, or there is no work", () => {
		expect(half({ kind: "passing", message: "busy" }).review({ kind: "rerun" })).toBe(false);
		expect(half(accepted).review({ kind: "rerun" })).toBe(true);
		const given = new Story([{ channel: "email", content: "Given" }]).due().sent(0, heldBack);
		expect(given.review({ kind: "rerun" })).toBe(false);
	});

	it("decides nothing while the work is being done", () => {
		const story = half(accepted);
		story.review({ kind: "rerun" });
		for (const kind of ["rerun", "discard"] as const) expect(story.review({ kind })).toBe(false);
	});

	it("raises the revision with every decision, and with the end of the work", () => {
		const story = new Story([{ channel: "email" }]).due();
		const seen = [story.newest?.revision];
		story.worked({ run: { status: "completed" }, output: "", gate: { valid: false, reason: "missing", words: "none" } });
		seen.push(story.newest?.revision);
		story.review({ kind: "discard" });
		seen.push(story.newest?.revision);
		expect(seen).toEqual([2, 3, 4]);
	});
});

describe("a plan", () => {
	it("that is deleted is not changed, paused, resumed, due or sent again", () => {
		const story = new Story([{ channel: "dashboard", content: "Given" }]).due();
		story.sent(0, { kind: "refused", code: "RECIPIENT_REFUSED", message: "no", fix: "none" });
		const { newest } = story;
		if (newest === undefined) throw new Error("it came due");
		const again = (state: PlanState) => resent(state, newest, newest.delivery, second(5), "again");
		expect(again(story.state)).toHaveLength(1);
		story.decides(decideDelete);
		const { state } = story;
		const schedule = { nextDueAt: second(60), words: "" };
		expect([
			decideChange(state, { title: "New" }, schedule),
			decidePause(state),
			decideResume(state, second(60)),
			decideDue(state, { kind: "manual", dueAt: second(5) }),
			decideDelete(state),
			again(state),
		]).toEqual([[], [], [], [], [], []]);
		expect(planView(state)).not.toHaveProperty("nextDueAt");
	});

	it("holds a message that deceives for that, also when it claims something", () => {
		const story = new Story([{ channel: "email" }]).due();
		const actionId = story.newest?.delivery[0]?.actionId ?? "";
		const grounding: Grounding = { state: "unverified", problems: [] };
		story.worked({ ...done("The answer"), grounding, findings: { [actionId]: [{ rule: "link_text" }] } });
		const held = { status: "needs_review", code: "LINT_LINK_TEXT", lint: [{ rule: "link_text" }], heldFor: ["UNVERIFIED_CLAIM"] };
		expect(story.newest?.delivery).toMatchObject([held]);
		// The user may remove the link and leave the claim.
		story.review(edit);
		expect(story.newest?.delivery).toMatchObject([{ heldFor: ["UNVERIFIED_CLAIM", "LINT_LINK_TEXT"] }]);
	});

	it("records everything that a message is held for, also what its work gives reason to doubt", () => {
		const of = (findings: readonly LintFinding[]) => {
			const story = new Story([{ channel: "email" }]).due();
			const actionId = story.newest?.delivery[0]?.actionId ?? "";
			const grounding: Grounding = { state: "unverified", problems: [] };
			return story.worked({ ...done("The answer"), grounding, doubt: "A doubt.", findings: { [actionId]: findings } }).newest?.delivery;
		};
		expect(of([])).toMatchObject([{ code: "WORK_UNVERIFIED", message: "A doubt.", heldFor: ["UNVERIFIED_CLAIM"] }]);
		expect(of([{ rule: "bidi" }])).toMatchObject([
			{ code: "LINT_BIDI", heldFor: ["WORK_UNVERIFIED", "UNVERIFIED_CLAIM"], doubt: "A doubt." },
		]);
	});

	it("keeps what a message was held for when it is sent or dropped, and not when its work is done again", () => {
		const held = () => {
			const story = new Story([{ channel: "email" }]).due();
			return story.worked({ ...done("The answer"), grounding: { state: "unverified", problems: [] } });
		};
		const decisions: readonly ReviewDecision[] = [{ kind: "send", payloads: {} }, edit, { kind: "discard" }, { kind: "rerun" }];
		const after = decisions.map((decision) => {
			const story = held();
			story.review(decision);
			return story.newest?.delivery[0]?.heldFor;
		});
		const claim = ["UNVERIFIED_CLAIM"];
		expect(after).toEqual([claim, claim, claim, undefined]);
		const twice = held();
		twice.review({ kind: "send", payloads: {} });
		twice.sent(0, heldBack);
		twice.decides((state) => decideCancel(openOne(state)));
		expect(twice.newest?.delivery).toMatchObject([{ code: "CANCELLED", heldFor: [...claim, "CHANNEL_AUTH"] }]);
		const again = held();
		again.review({ kind: "send", payloads: {} });
		again.sent(0, heldBack);
		expect(again.review({ kind: "rerun" })).toBe(true);
		expect(again.newest?.delivery[0]).not.toHaveProperty("heldFor");
	});

	it("names the gravest finding first, and keeps the others", () => {
		const story = new Story([{ channel: "email" }]).due();
		const actionId = story.newest?.delivery[0]?.actionId ?? "";
		const findings = { [actionId]: [{ rule: "too_long" as const }, { rule: "link_text" as const }, { rule: "secret" as const }] };
		story.worked({ ...done("The answer"), findings });
		const lint = [{ rule: "secret" }, { rule: "link_text" }, { rule: "too_long" }];
		expect(story.newest?.delivery).toMatchObject([{ status: "needs_review", code: "LINT_SECRET", lint }]);
	});

	it("sends nothing again that has no words", () => {
		const story = new Story([{ channel: "email" }]).due().worked({ run: { status: "failed" }, output: "" });
		const { state, newest } = story;
		expect(newest).toMatchObject({ status: "failed", code: "WORK_FAILED" });
		expect(newest === undefined ? undefined : resent(state, newest, newest.delivery, second(5), "again")).toEqual([]);
	});
});
