import {
	ActionId,
	type DeliveryAction,
	type MethodParams,
	type Occurrence,
	OccurrenceId,
	RunId,
	Sha256,
	ThreadId,
	TurnId,
} from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { occurrenceLines, readNow } from "../../../src/cli/plans/plan-lines.ts";
import { bridge, deliverable } from "../../support/plan-bridge.ts";
import { action, occurrence } from "../../support/plan-story.ts";

const idOf = (index: number) => `beaches-1-${index}` as DeliveryAction["actionId"];
const hashOf = (actionId: string) => Sha256.parse(actionId.slice(-1).repeat(64));
const recipients = [{}, { recipient: "anna" }, { channel: "dashboard" }] as const;

/** A due time with a message to you, one to Anna, and one for the inbox. */
function three(change: Partial<DeliveryAction>, more: Partial<Occurrence> = {}): Occurrence {
	const delivery = recipients.map((to, index) => action({ actionId: idOf(index + 1), ...to, ...change }));
	return occurrence({ status: "needs_review", deliverable, ...more, delivery });
}

const held = three({ status: "needs_review", code: "UNVERIFIED_CLAIM" });
const ids = [1, 2, 3].map(idOf);

/** Each message has a hash of its own. */
function desk(one: Occurrence) {
	return bridge(one, {
		previewMessage: async (params: MethodParams<"xworkmate.plans.preview">) => {
			const payloadHash = hashOf("actionId" in params ? params.actionId : "0");
			return { payloadHash, parts: [{ kind: "text", mediaType: "text/plain", text: "Sanur.", bytes: 6, sha256: payloadHash }], lint: [] };
		},
	});
}

describe("`plans review` of a due time with several messages", () => {
	it("prints commands that name the message, for one that still waits and for one of several", async () => {
		for (const one of [
			held,
			{ ...held, delivery: held.delivery.map((each, index) => (index === 1 ? each : action({ ...each, status: "completed" }))) },
		]) {
			const { run } = desk(one);
			const lines = (await run("review", idOf(2))).lines.filter((line) => line.includes("plans review"));
			expect(lines.length).toBeGreaterThanOrEqual(3);
			for (const line of lines) expect(line).toMatch(/plans review beaches-1-2 --/);
		}
	});

	it("says of the work that is run again how many messages it is for", async () => {
		const { lines } = await desk(held).run("review", idOf(2));
		expect(lines.join("\n")).toContain("Run the work again, for all 3 messages that are waiting for it: ");
	});

	it.each(["beaches", "beaches-1"])("discards none of them with %s alone, and lists what would be discarded", async (id) => {
		const { run, asked } = desk(held);
		const { error } = await run("review", id, "--discard");
		expect(error).toMatchObject({ code: "SEVERAL_WAIT" });
		const said = String(Object(error).message);
		for (const [index, name] of ["Email to you", "Email to anna", "Inbox"].entries())
			expect(said).toContain(`${name} (${idOf(index + 1)})`);
		expect(error).toMatchObject({ fix: expect.stringContaining("plans review beaches-1-1 --discard") });
		expect(error).toMatchObject({ fix: expect.stringContaining("plans review beaches-1 --discard --all") });
		expect(asked).toEqual([]);
	});

	it("discards the one that is named, or all of them with --all", async () => {
		const { run, asked } = desk(held);
		await run("review", idOf(2), "--discard");
		expect(await run("review", "beaches-1", "--discard", "--all")).toMatchObject({ code: 0 });
		const said = { occurrenceId: "beaches-1", revision: 3, decision: "discard" };
		expect(asked).toEqual([{ ...said, actionId: idOf(2) }, said]);
		expect((await run("review", "beaches-1", "--send", "--all")).error).toMatchObject({ code: "INVALID_INPUT" });
	});

	it("sends the one message that has the hash, and none if no message or several have it", async () => {
		const { run, asked } = desk(held);
		expect(await run("review", "beaches-1", "--send", "--payload", "2".repeat(12))).toMatchObject({ code: 0 });
		expect(asked).toEqual([{ occurrenceId: "beaches-1", revision: 3, decision: "send", actionId: idOf(2), payloadHash: hashOf("2") }]);
		asked.length = 0;
		const other = await run("review", "beaches-1", "--send", "--payload", "0".repeat(12));
		expect([other.code, other.lines.join("\n")]).toEqual([1, expect.stringContaining("No message has that hash. Nothing was sent.")]);
		const same = bridge(held);
		const several = await same.run("review", "beaches-1", "--send", "--payload", "3f2a91c04b7e");
		expect([several.code, several.lines.join("\n")]).toEqual([
			1,
			expect.stringContaining("Several messages have that hash. Nothing was sent."),
		]);
		const none = await run("review", "beaches-1", "--send");
		expect([none.code, none.lines.join("\n")]).toEqual([9, expect.stringContaining("This command has sent nothing.")]);
		expect([...asked, ...same.asked]).toEqual([]);
	});

	it("refuses an edit that names no message, whether or not the file exists", async () => {
		const { run, asked } = desk(held);
		for (const flags of [
			["--edit", "message.md"],
			["--edit", "message.md", "--json"],
		]) {
			const { error } = await run("review", "beaches-1", ...flags);
			expect(error).toMatchObject({ code: "SEVERAL_WAIT", fix: expect.stringContaining('plans review beaches-1-3 --edit "message.md"') });
		}
		expect(asked).toEqual([]);
	});

	it("shows no single message as JSON, as if the others did not wait", async () => {
		const { lines, code } = await desk(held).run("review", "beaches-1", "--json");
		expect([code, lines.join("\n")]).toEqual([9, expect.not.stringContaining('"preview"')]);
		expect(lines.join("\n")).toContain(idOf(3));
	});
});

const doubted: Occurrence["runs"][number] = {
	runId: RunId.parse("run-1"),
	threadId: ThreadId.parse("thread-1"),
	turnId: TurnId.parse("turn-1"),
	status: "completed",
	message: "The agent reports doing something that was denied.",
};
const over = { status: "failed", code: "DELIVERY_FAILED" } as const;

describe("the commands that a due time with several messages is shown with", () => {
	const shown = (one: Occurrence) => occurrenceLines(one, readNow()).filter((line) => line.includes("xworkmate"));
	const first = (change: Partial<DeliveryAction>, one: Occurrence) => ({
		...one,
		delivery: one.delivery.map((each, index) => (index === 0 ? action({ ...each, ...change }) : action({ actionId: each.actionId }))),
	});

	it("name the message that waits if it is one, and the due time if they are several", () => {
		expect(shown(held)).toEqual([expect.stringMatching(/^ {2}Review them: .* plans review beaches-1$/)]);
		expect(shown(first({}, held))).toEqual([expect.stringMatching(/^ {2}Review it: .* plans review beaches-1-1$/)]);
	});

	it("name each message of which it is unknown whether it arrived", () => {
		const unknown = three({ status: "unknown", code: "NO_ANSWER" });
		expect(shown(unknown)).toEqual(
			["Email to you", "Email to anna", "Inbox"].map((name, index) =>
				expect.stringMatching(
					new RegExp(`Record whether it arrived \\(${name}\\): .* plans settle ${idOf(index + 1)} --sent or --not-sent$`),
				),
			),
		);
		expect(shown(first({}, unknown))).toEqual([expect.stringContaining(`plans settle ${idOf(1)} --sent`)]);
	});

	it("name each message that failed and has a text, if not all have one", () => {
		const failed = three({ status: "failed", code: "RECIPIENT_REFUSED", content: "Sanur is best." }, over);
		const without = first({ status: "failed", code: "RECIPIENT_REFUSED", content: undefined }, { ...failed, deliverable: undefined });
		const delivery = [...without.delivery.slice(0, 1), ...failed.delivery.slice(1)];
		expect(shown({ ...without, delivery })).toEqual(
			[2, 3].map((number) => expect.stringMatching(new RegExp(`^ {2}Send it again \\(.*\\): .* plans resend ${idOf(number)}$`))),
		);
	});

	it("say of a message that was discarded whether it is reviewed before it is sent", () => {
		const wordsFor = (change: Partial<DeliveryAction>, more: Partial<Occurrence> = {}) =>
			shown(three({ status: "failed", code: "DISCARDED", ...change }, { ...over, ...more }))[0]?.replace(/ \(.*/, "");
		const claim: NonNullable<Occurrence["grounding"]> = { state: "unverified", problems: [] };
		const again = "  Review it once more and send it after all";
		const perhaps = "  Send it after all; you may have to review it first";
		expect(wordsFor({}, { grounding: claim })).toBe(again);
		expect(wordsFor({ content: "Mine." }, { runs: [doubted] })).toBe(again);
		expect(wordsFor({})).toBe(perhaps);
		expect(wordsFor({ payloadHash: hashOf("1") }, { grounding: claim })).toBe(perhaps);
		expect(wordsFor({ content: "Mine." }, { grounding: claim })).toBe(perhaps);
		expect(wordsFor({ content: "Mine.", heldFor: ["LINT_LINK_TEXT"] })).toBe(perhaps);
		expect(wordsFor({ content: "Mine." })).toBe("  Send it after all");
		expect(wordsFor({ content: "Mine.", payloadHash: hashOf("1") }, { grounding: claim, runs: [doubted] })).toBe("  Send it after all");
	});

	it("send again what failed, and after all what you discarded, each by its id", () => {
		const discarded = three({ status: "failed", code: "DISCARDED" }, over);
		expect(shown(discarded)).toEqual(
			["Email to you", "Email to anna", "Inbox"].map((name, index) =>
				expect.stringMatching(
					new RegExp(`^ {2}Send it after all; you may have to review it first \\(${name}\\): .* plans resend ${idOf(index + 1)}$`),
				),
			),
		);
		const mixed = { ...discarded, delivery: discarded.delivery.with(0, action({ status: "failed", code: "RECIPIENT_REFUSED" })) };
		expect(shown(mixed)[0]).toMatch(/^ {2}Send it again \(Email to you\): .* plans resend beaches-1-1$/);
		expect(shown({ ...discarded, delivery: discarded.delivery.slice(0, 1) })).toEqual([
			expect.stringMatching(/^ {2}Send it after all; you may have to review it first: .* plans resend beaches-1$/),
		]);
		expect(shown(three({ status: "failed", code: "RECIPIENT_REFUSED" }, over))).toEqual([
			expect.stringMatching(/^ {2}Send them again: .* plans resend beaches-1$/),
		]);
	});
});

it("`plans settle` of a due time with several messages lists them, each with its command", async () => {
	const { run, asked } = desk(three({ status: "unknown", code: "NO_ANSWER" }));
	expect((await run("settle", "beaches-1", "--not-sent")).error).toMatchObject({
		code: "SEVERAL_WAIT",
		message: expect.stringContaining("did not arrive: Email to you (beaches-1-1), Email to anna (beaches-1-2), Inbox (beaches-1-3)."),
		fix: expect.stringContaining("plans settle beaches-1-3 --not-sent"),
	});
	expect(asked).toEqual([]);
});

describe("`plans resend` of what you discarded", () => {
	const discarded = three({ status: "failed", code: "DISCARDED" }, over);

	it("sends several only by their ids, and leaves them where others failed", async () => {
		const { run, asked } = desk(discarded);
		const { error } = await run("resend", "beaches-1");
		expect(error).toMatchObject({ code: "SEVERAL_WAIT", fix: expect.stringContaining("plans resend beaches-1-3") });
		expect(asked).toEqual([]);
		await run("resend", idOf(2));
		expect(asked).toMatchObject([{ actionIds: [idOf(2)] }]);
		const mixed = desk({ ...discarded, delivery: discarded.delivery.with(0, action({ status: "failed", code: "RECIPIENT_REFUSED" })) });
		await mixed.run("resend", "beaches-1");
		expect(mixed.asked).toMatchObject([{ actionIds: [idOf(1)] }]);
	});

	it("does the same with what you cancelled, which was never sent either", async () => {
		const cancelled = three({ status: "failed", code: "CANCELLED" }, over);
		const { run, asked } = desk(cancelled);
		expect((await run("resend", "beaches-1")).error).toMatchObject({
			code: "SEVERAL_WAIT",
			message: expect.stringContaining("These messages were discarded or cancelled, so say which one to send: "),
		});
		expect(asked).toEqual([]);
		const some = { ...cancelled, delivery: cancelled.delivery.with(0, action({ status: "failed", code: "RECIPIENT_REFUSED" })) };
		const mixed = desk(some);
		await mixed.run("resend", "beaches-1");
		expect(mixed.asked).toMatchObject([{ actionIds: [idOf(1)] }]);
		const said = occurrenceLines(some, readNow()).join("\n");
		expect(said).toMatch(new RegExp(`Send it after all; you may have to review it first \\(Inbox\\): .* plans resend ${idOf(3)}$`, "m"));
		expect(said).not.toContain("Send them again");
	});

	it("says with its exit code that the message waits for a review", async () => {
		const resent = occurrence({
			kind: "resend",
			status: "needs_review",
			delivery: [action({ status: "needs_review", code: "UNVERIFIED_CLAIM" })],
		});
		const { run } = bridge(discarded, { resendMessages: async () => resent });
		const { code, lines } = await run("resend", ids[0] ?? "");
		expect([code, lines.join("\n")]).toEqual([9, expect.stringContaining("plans review beaches-1")]);
		expect(lines.join("\n")).not.toContain("Follow it");
	});
});

describe("the commands that are printed if an id names several due times", () => {
	/** Two due times of the plan, each with one message. */
	const two = (change: Partial<DeliveryAction>) =>
		bridge(occurrence(), {
			planOccurrences: async () => ({
				items: [1, 2].map((number) =>
					occurrence({
						...{ occurrenceId: OccurrenceId.parse(`beaches-${number}`), ...over, deliverable },
						delivery: [action({ actionId: ActionId.parse(`beaches-${number}-1`), ...change })],
					}),
				),
			}),
		});

	it.each([
		{ what: "settle", change: { status: "unknown", code: "NO_ANSWER" }, flags: ["--sent"] },
		{ what: "settle", change: { status: "unknown", code: "NO_ANSWER" }, flags: ["--not-sent"] },
		{ what: "resend", change: { status: "failed", code: "RECIPIENT_REFUSED" }, flags: [] },
		{ what: "resend", change: { status: "failed", code: "RECIPIENT_REFUSED" }, flags: ["--to", "anna"] },
		{ what: "resend", change: { status: "completed" }, flags: ["--to", "me", "--allow-duplicate"] },
	] as const)("do the same as `plans $what` with $flags", async ({ what, change, flags }) => {
		const { run, asked } = two(change);
		const { error } = await run(what, "beaches", ...flags);
		const ends = [1, 2].map((number) => [`plans ${what} beaches-${number}`, ...flags].join(" "));
		const fix = String(Object(error).fix);
		expect(Object(error).code).toBe("SEVERAL_WAIT");
		expect(fix.split(", ").map((command) => command.slice(command.indexOf("plans ")))).toEqual(ends);
		expect(asked).toEqual([]);
	});
});

describe("the commands that `plans resend --to` prints", () => {
	const fixOf = async (one: Occurrence, ...flags: readonly string[]) =>
		String(Object((await desk(one).run("resend", "beaches-1", ...flags)).error).fix);

	it("send to that recipient, whether the messages arrived or were discarded", async () => {
		const arrived = occurrence();
		expect(await fixOf(arrived, "--to", "anna")).toMatch(/plans resend beaches-1 --to anna --allow-duplicate$/);
		expect(await fixOf(arrived)).toMatch(/plans resend beaches-1 --allow-duplicate$/);
		const discarded = three({ status: "failed", code: "DISCARDED" }, over);
		expect(await fixOf(discarded, "--to", "anna")).toMatch(/plans resend beaches-1-2 --to anna, .*plans resend beaches-1-3 --to anna$/);
	});
});
