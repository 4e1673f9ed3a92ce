import { DeliveryAction, Occurrence, ThreadId } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planReview, planReviewOutcome, readReviewId, type Waiting } from "../../src/operator/discord/text/review-plan.ts";
import { POST_LENGTH } from "../../src/operator/discord/text/split-text.ts";

const hash = "0123456789abcdef".repeat(4);
const held = { actionId: "plan1-2-1", channel: "email", status: "needs_review", code: "LINT_BIDI", attempts: 0 };

function waiting(
	change: { readonly action?: object; readonly occurrence?: object; readonly text?: string | undefined; readonly title?: string } = {},
): Waiting {
	const { text = "Hello", title = "A plan" } = change;
	const action = DeliveryAction.parse({ ...held, ...change.action });
	const occurrence = Occurrence.parse({
		...{ occurrenceId: "plan1-2", planId: "plan1", kind: "manual", dueAt: "2026-04-01T08:00:00.000Z", status: "needs_review" },
		...{ runs: [], work: [], delivery: [action], revision: 7, ...change.occurrence },
	});
	const parts = [{ kind: "text" as const, mediaType: "text/plain", text, bytes: 5, sha256: hash }];
	const preview = "text" in change && change.text === undefined ? undefined : { payloadHash: hash, parts };
	const plan = { title, threadId: ThreadId.parse("plan1"), instructions: "", work: [] };
	return { occurrence, action, plan, preview, discordOwner: "your usual channel" };
}

describe("a message that waits, as a post", () => {
	it("says why and shows exactly what would leave; its buttons carry ids, revision and hash alone", () => {
		const { content, buttons, file } = planReview(
			waiting({ action: { message: "It hides @everyone.", fix: "Look at it.", content: "Hello" } }),
		);
		expect(content).toContain("By email to you\n");
		expect(planReview(waiting({ action: { channel: "discord" } })).content).toContain("By Discord to your usual channel\n");
		expect(content).toContain("It hides \\@everyone\\.");
		expect(content).toContain("```text\nHello\n```");
		expect(content).toContain("hash 0123 4567 89ab");
		expect(file).toBeUndefined();
		expect(buttons.map(({ label, customId }) => [label, customId])).toEqual([
			["Send", "m-send:plan1-2-1:7:0123456789abcdef"],
			["Discard", "m-discard:plan1-2-1:7:0123456789abcdef"],
		]);
		expect(readReviewId(buttons[0]?.customId ?? "")).toEqual({
			...{ verb: "send", actionId: "plan1-2-1", occurrenceId: "plan1-2", revision: 7, hash: "0123456789abcdef" },
		});
	});

	it("says in plain words that the agent declined", () => {
		const words = "Brain declined to produce deliverable";
		const gate = { valid: false, reason: "declined", words };
		const { content } = planReview(waiting({ action: { code: "GATE_DECLINED", message: words }, occurrence: { gate }, text: undefined }));
		expect(content).toContain("The agent declined to write this message\\.");
		expect(content).not.toContain("Brain");
	});

	it("says what the checks found as the page does, not by the ids of the rules", () => {
		const lint = [{ rule: "code_fence", excerpt: "sh" }, { rule: "link_text" }];
		const { content } = planReview(waiting({ action: { code: "LINT_CODE_FENCE", lint } }));
		expect(content).toContain("found something in its text\\: it contains a code block \\(sh\\); a link hides where it goes\\.");
	});

	it("says besides its other reason that it may have been sent since the backup that was restored", () => {
		const { content } = planReview(waiting({ action: { message: "It hides @everyone.", mayHaveBeenSent: true } }));
		expect(content).toMatch(/It hides .*\n\*\*It may have been sent already\*\*: a backup was restored/);
		expect(planReview(waiting()).content).not.toContain("a backup was restored");
	});

	it("says what else it was held for, and says its own reason only once", () => {
		const of = (code: string, ...heldFor: readonly string[]) => planReview(waiting({ action: { code, heldFor } })).content;
		expect(of("LINT_BIDI", "LINT_BIDI", "UNVERIFIED_CLAIM")).toContain("said that something was done, and nothing confirmed it.");
		expect(of("LINT_BIDI", "WORK_UNVERIFIED")).toContain("It was also held because the work couldn't be verified.");
		const doubt = "The agent reports acting without an answer.";
		const { content } = planReview(waiting({ action: { code: "LINT_BIDI", heldFor: ["WORK_UNVERIFIED"], doubt } }));
		expect(content).toContain("couldn't be verified. The agent reports acting without an answer\\.");
		expect(of("UNVERIFIED_CLAIM", "UNVERIFIED_CLAIM")).not.toContain("also held");
		// The user may have replaced the text that was held for it.
		expect(of("RETRIES_EXHAUSTED", "UNVERIFIED_CLAIM")).not.toContain("also held");
	});

	it("says until when the recipient can be written to by the reader's own clock", () => {
		const message = "The recipient has written to you, so you can write to them until 2026-01-01T00:05:00.000Z.";
		const of = (code: string) => planReview(waiting({ action: { code, message } })).content;
		expect(of("WINDOW_CLOSED")).toContain("you can write to them until <t:1767225900:f>\\.");
		expect(of("CONTENT_REFUSED")).not.toContain("<t:");
	});

	it("can't be sent if there is nothing to send, and only settled if its outcome is not known", () => {
		const labels = (of: Waiting) => planReview(of).buttons.map(({ label }) => label);
		const work = [{ description: "Do it", status: "completed" }];
		expect(labels(waiting({ text: undefined, occurrence: { work } }))).toEqual(["Run again", "Discard"]);
		// The bridge would refuse it.
		const moving = [DeliveryAction.parse(held), DeliveryAction.parse({ ...held, actionId: "plan1-2-2", status: "sending" })];
		expect(labels(waiting({ text: undefined, occurrence: { work, delivery: moving } }))).toEqual(["Discard"]);
		expect(labels(waiting({ text: undefined, action: { status: "unknown", code: "NO_ANSWER" } }))).toEqual([
			"It arrived",
			"It didn't arrive",
		]);
	});

	it("fits, ends no code block early, and is whole either in the post or in its file, whatever the texts are", () => {
		const piece = fc.constantFrom("`", "```", "@everyone", "\u202e", "**", "<@1>", "\n", "-# ", "> ", "x".repeat(300), "家", "\\");
		const text = fc.array(piece, { maxLength: 12 }).map((all) => all.join(""));
		fc.assert(
			fc.property(text, text, text, (body, message, title) => {
				const { content, file } = planReview(
					waiting({ text: body, action: { message: message.slice(0, 2_000) }, title: title.slice(0, 200) }),
				);
				expect(content.length).toBeLessThanOrEqual(POST_LENGTH);
				expect((content.split("```").length - 1) % 2).toBe(0);
				const [before = "", ...rest] = content.split("```text\n");
				expect(before).not.toMatch(/(?<!\\)[@<`]/);
				if (file === undefined) expect(rest.join("")).toContain("\n```\n-# ");
				else expect(file.data).toBe(body);
			}),
		);
	});

	it("that is over says how it is", () => {
		const outcome = (change: object, status: Occurrence["status"] = "delivering") =>
			planReviewOutcome(DeliveryAction.parse({ ...held, ...change }), { status }, "A *plan*", "you");
		expect(outcome({ status: "pending" })).toContain("**It will be sent as soon as possible**");
		expect(outcome({ status: "failed", code: "DISCARDED" })).toBe("**Discarded**: By email to you, A \\*plan\\*");
		expect(outcome({ status: "completed" })).toContain("**Sent**");
		expect(outcome({ status: "failed", code: "NOT_SENT", recipient: "anna" })).toBe("**Not sent**: By email to anna, A \\*plan\\*");
		const later = [
			{ at: "2026-04-01T09:00:00.000Z", message: "It went wrong." },
			{ at: "2026-04-01T09:01:00.000Z", message: "It was delivered after all, @here." },
		];
		expect(outcome({ status: "failed", code: "NOT_SENT", settledBy: "user", later })).toBe(
			"**Not sent, as you recorded**: By email to you, A \\*plan\\*\nIt was delivered after all, \\@here\\.",
		);
	});
});

it.each([
	"m-send:plan1-2-1:0:0123456789abcdef",
	"m-edit:plan1-2-1:7:",
	"m-send:../x:7:",
	"allow_once:ap1",
	"m-send:a-1:7:0123456789ABCDEF",
	"m-constructor:a-1:7:",
])("reads no button from %s", (customId) => {
	expect(readReviewId(customId)).toBeUndefined();
});
