import { type DeliveryAction, type Grounding, type LintFinding, RunId, ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { decideAgain, decideMend } from "../../../src/plans/domain/decide-again.ts";
import { decideHold } from "../../../src/plans/domain/decide-delivery.ts";
import { decideRunKnown, resent, type WorkResult } from "../../../src/plans/domain/decide-occurrence.ts";
import { heldAgain } from "../../../src/plans/domain/held-again.ts";
import { createMessages } from "../../../src/plans/messages.ts";
import { actionOf, openOne, second } from "../../store/contracts/plan-fixture.ts";
import { done, Story } from "./plan-story.ts";

const threadId = ThreadId.parse("thread-p");

/** A story in which each run that begins is known as `run-1`, `run-2` and so on. */
class RunStory extends Story {
	known(): this {
		this.decides((state) => {
			const open = openOne(state);
			const { runs } = open.occurrence;
			const turnId = runs.at(-1)?.turnId;
			return turnId === undefined ? [] : decideRunKnown(open, turnId, RunId.parse(`run-${runs.length}`));
		});
		return this;
	}

	/** Ends the latest run without ending the work: a better message is asked for, or the work is done again because the run was cut off. */
	onceMore(result: WorkResult | "cut"): this {
		this.decides((state) => {
			const open = openOne(state);
			const turnId = open.occurrence.runs.at(-1)?.turnId;
			if (turnId === undefined) return [];
			if (result === "cut") return decideAgain(open, turnId, { status: "interrupted" }, threadId);
			const [{ actionId } = { actionId: "" }] = open.occurrence.delivery;
			return decideMend(open, turnId, { ...result, findings: { [actionId]: [{ rule: "bullet" }] } }, threadId);
		});
		return this.known();
	}

	get action(): DeliveryAction {
		const action = this.newest?.delivery[0];
		if (action === undefined) throw new Error("there is a message");
		return action;
	}
}

/** The text of a message and the names of its files, if each run delivered a file with its own name. */
async function madeOf({ newest: occurrence, state }: RunStory, index = 0) {
	const action = occurrence?.delivery[index];
	if (occurrence === undefined || action === undefined) throw new Error("there is a message");
	const files = async (runId: RunId) => ({
		snapshot: undefined as never,
		pages: async function* () {
			yield [{ relativePath: `out/${runId}.pdf`, sizeBytes: 1, mediaType: "application/pdf" } as never];
		},
		find: () => Promise.reject(new Error("not asked for")),
		isStored: () => true,
		open: async () => ({ readWhole: async () => Buffer.from("x"), [Symbol.asyncDispose]: async () => undefined }) as never,
	});
	const messageOf = createMessages(() => ({ address: "me@example.org" }), { files, answer: async () => undefined });
	const message = await messageOf(occurrence, action, state.plan);
	return { text: message.text, files: message.files.map(({ name }) => name), runId: message.runId };
}

const toEmail = { channel: "email", attach: true };

it("a message that its agent only wrote again has the files of the run that did the work", async () => {
	const story = new RunStory([toEmail]).due().known().onceMore(done("- The answer"));
	expect(story.newest?.runs.map(({ rewrites }) => rewrites)).toEqual([undefined, "run-1"]);
	story.worked(done("The answer"));
	expect(await madeOf(story)).toEqual({ text: "The answer", files: ["run-1.pdf"], runId: "run-1" });
});

it("also if the run that was to write it again was cut off and repeated", async () => {
	const story = new RunStory([toEmail]).due().known().onceMore(done("- The answer")).onceMore("cut").worked(done("The answer"));
	expect(story.newest?.runs.map(({ rewrites }) => rewrites)).toEqual([undefined, "run-1", "run-1"]);
	expect(await madeOf(story)).toMatchObject({ files: ["run-1.pdf"] });
});

it("work that is repeated because its run was cut off has the files of the repetition", async () => {
	const story = new RunStory([toEmail]).due().known().onceMore("cut").worked(done("The answer"));
	expect(await madeOf(story)).toMatchObject({ text: "The answer", files: ["run-2.pdf"] });
});

const claim: Grounding = { state: "unverified", problems: [] };

/** Two messages, the first of which was decided before the work was done again for the second. */
function rerun(
	decide: (story: RunStory) => void,
	first: object = toEmail,
	{ first: result = {}, second: next = {} }: { readonly first?: Partial<WorkResult>; readonly second?: Partial<WorkResult> } = {},
): RunStory {
	const story = new RunStory([first, toEmail]).due().known();
	story.worked({ ...done("The answer"), ...result });
	decide(story);
	story.sent(1, { kind: "held", code: "CHANNEL_AUTH", message: "no", fix: "sign in" });
	expect(story.review({ kind: "rerun" })).toBe(true);
	story.known().worked({ ...done("Another answer"), ...next });
	return story;
}

const sent = (story: RunStory) => void story.sent(0, { kind: "accepted", proof: "accepted" });

it.each([
	["the agent's text", toEmail, "The answer"],
	["a text of its own", { ...toEmail, content: "See the files." }, "See the files."],
])(
	"a message with %s keeps the files it was sent with when the work is done again for another, and when it is resent",
	async (_what, first, text) => {
		const story = rerun(sent, first);
		const before = { text, files: ["run-1.pdf"], runId: "run-1" };
		expect(await madeOf(story)).toEqual(before);
		expect(await madeOf(story, 1)).toEqual({ text: "Another answer", files: ["run-2.pdf"], runId: "run-2" });
		const { newest } = story;
		if (newest === undefined) throw new Error("it came due");
		story.decides((state) => resent(state, newest, newest.delivery, second(5), "again"));
		expect(story.newest?.kind).toBe("resend");
		expect(await madeOf(story)).toEqual(before);
		expect(await madeOf(story, 1)).toMatchObject({ text: "Another answer", files: ["run-2.pdf"] });
	},
);

it("a message that waits for the work has the files of each new run", async () => {
	const story = rerun(sent);
	story.sent(1, { kind: "held", code: "CHANNEL_AUTH", message: "no", fix: "sign in" });
	story.review({ kind: "rerun" });
	story.known().worked(done("A third answer"));
	expect(await madeOf(story)).toMatchObject({ text: "The answer", files: ["run-1.pdf"] });
	expect(await madeOf(story, 1)).toMatchObject({ text: "A third answer", files: ["run-3.pdf"] });
});

it("a dropped message is held again for what speaks against its own run, not against a later one", () => {
	const discard = (story: RunStory) => void story.review({ kind: "discard" }, 0);
	const why = (story: RunStory) => {
		const { newest: occurrence, action, state } = story;
		return occurrence === undefined ? undefined : heldAgain(occurrence, action, state.plan, []);
	};
	const doubt = "The agent reports doing something that was denied.";
	expect(why(rerun(discard, toEmail, { first: { grounding: claim } }))).toEqual({ code: "UNVERIFIED_CLAIM" });
	expect(why(rerun(discard, toEmail, { first: { doubt } }))).toEqual({ code: "WORK_UNVERIFIED", message: doubt });
	const discardHeld = (story: RunStory) => {
		story.decides((state) => decideHold(openOne(state), actionOf(openOne(state)), "SEND_LIMIT", {}));
		discard(story);
	};
	const fine = rerun(discardHeld, toEmail, { second: { grounding: claim, doubt } });
	expect(fine.action).toMatchObject({ code: "DISCARDED", content: "The answer" });
	expect(why(fine)).toBeUndefined();
});

it("a dropped message that its channel objected to is held again for that, although the work was run again for another", () => {
	const drop = (story: RunStory) => {
		story.decides((state) => decideHold(openOne(state), actionOf(openOne(state)), "LINT_LINK_TEXT", {}));
		story.review({ kind: "discard" }, 0);
	};
	const { newest, action, state } = rerun(drop);
	expect(action).toMatchObject({ code: "DISCARDED", content: "The answer", heldFor: ["LINT_LINK_TEXT"] });
	const why = (one: DeliveryAction, findings: readonly LintFinding[] = [{ rule: "link_text" }]) =>
		newest === undefined ? undefined : heldAgain(newest, one, state.plan, findings);
	expect(why(action)).toEqual({ code: "LINT_LINK_TEXT" });
	expect(why(action, [])).toBeUndefined();
	// The user has seen and approved what was built.
	expect(why({ ...action, payloadHash: "a".repeat(64) as never })).toBeUndefined();
});
