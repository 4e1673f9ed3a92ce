import { Channel, type NewPlan, type Plan } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { newPlan } from "../../../src/cli/plans/create-plan.ts";
import { runAgainst } from "../../support/command-scene.ts";
import { action, plan } from "../../support/plan-story.ts";

const now = Date.parse("2026-11-23T07:02:00.000Z");
const timezone = "Asia/Bangkok";

/** Asks the bridge for a plan, and notes what was asked. */
async function created(...args: readonly string[]) {
	const asked: NewPlan[] = [];
	const run = await runAgainst(
		{
			createPlan: async (given) => {
				asked.push(given);
				return plan({ status: "pending", nextDueAt: new Date(Date.now() + 60_000).toISOString() });
			},
		},
		["plans", "create", ...args],
	);
	return { ...run, asked };
}

it("says of a time that does not exist that day what it became", async () => {
	const args = ["--dashboard", "--content", "x", "--timezone", "Europe/Berlin", "--at"];
	const note = "There is no 02:30 that day in Europe/Berlin: clocks go from 02:00 to 03:00, so the plan is due at 03:00.";
	const { lines, asked } = await created(...args, "2099-03-29 02:30");
	expect(asked).toMatchObject([{ scheduledFor: "2099-03-29T01:00:00.000Z" }]);
	expect(lines).toContain(`  ${note}`);
	expect((await created(...args, "2099-03-29 03:00")).lines.join("\n")).not.toContain("There is no");
	expect((await created(...args, "2099-03-29 02:30", "--json")).notes).toContain(note);
});

describe("what flags make of a plan", () => {
	it("[T2-56] [T2-84] a message with its exact text and its time, and no work", async () => {
		const content = "Don't forget to call mom";
		expect(await newPlan({ timezone, in: "1m", email: ["me"], content }, now)).toMatchObject({
			...{ title: content, instructions: "", work: [], type: "scheduled", scheduledFor: "2026-11-23T07:03:00.000Z", timezone },
			delivery: [{ channel: "email", content }],
		});
	});

	it("[T2-78] work for an agent, with a channel and without content, at once", async () => {
		const work = "Research best beaches in Bali for families";
		const made = await newPlan({ timezone, email: ["anna"], dashboard: true, work: [work], agent: "goose" }, now);
		expect(made).toMatchObject({
			...{ type: "immediate", work: [{ description: work }], routing: { executionTarget: "agent", providerId: "goose" } },
			delivery: [{ channel: "email", recipient: "anna" }, { channel: "dashboard" }],
		});
		expect((await newPlan({ timezone, discord: ["me", "anna"], content: "x" }, now)).delivery).toEqual([
			{ channel: "discord", content: "x" },
			{ channel: "discord", recipient: "anna", content: "x" },
		]);
		expect(made.delivery[0]).not.toHaveProperty("content");
	});

	it("[T2-78] every channel that sends to people can be named, for you and for a contact", async () => {
		const made = await newPlan({ timezone, email: ["me"], whatsapp: ["me", "anna"], discord: ["anna"], content: "x" }, now);
		expect(made.delivery.map(({ channel, recipient }) => [channel, recipient])).toEqual([
			["email", undefined],
			["whatsapp", undefined],
			["whatsapp", "anna"],
			["discord", "anna"],
		]);
	});

	it("attaches files wherever a message can have some, which one in the inbox can't", async () => {
		const made = await newPlan(
			{ timezone, email: ["me"], whatsapp: ["me"], discord: ["me"], dashboard: true, attach: true, work: ["x"] },
			now,
		);
		expect(made.delivery.map(({ channel, attach }) => [channel, attach])).toEqual([
			["email", true],
			["whatsapp", true],
			["discord", true],
			["dashboard", undefined],
		]);
	});

	it.each(["email", "whatsapp", "discord"])(
		"takes --%s as a flag, and refuses it beside a sentence instead of dropping it",
		async (channel) => {
			const { asked } = await created(`--${channel}`, "anna", "--content", "x");
			expect(asked.map(({ delivery }) => delivery[0])).toMatchObject([{ channel, recipient: "anna" }]);
			const beside = await created("Call mom at nine", `--${channel}`, "anna");
			expect(String(beside.error)).toContain(`--${channel} can't be used with a sentence`);
			expect(beside.asked).toEqual([]);
		},
	);

	it("a time that comes again and again is the bridge's to compute", async () => {
		const made = await newPlan({ timezone, cron: "0 9 * * 1-5", dashboard: true, work: ["x"], quiet: true }, now);
		expect(made).toMatchObject({ type: "recurring", cron: "0 9 * * 1-5", timezone, whenDeclined: "stay_quiet" });
	});

	it("every plan is a request of its own", async () => {
		const flags = { dashboard: true, content: "x" };
		expect((await newPlan(flags)).requestId).not.toBe((await newPlan(flags)).requestId);
	});

	it.each([
		[{}, "The plan has nothing to do."],
		[{ content: "x" }, "The message has no recipient."],
		[{ content: "", dashboard: true }, "The message is empty."],
		[{ content: " \n", dashboard: true, title: "T" }, "The message is empty."],
		[{ instructions: " ", dashboard: true }, "The plan has nothing to do."],
		[{ content: "x", dashboard: true, work: ["y"] }, "no agent is needed"],
		[{ dashboard: true, content: "x", subject: "s" }, "Only an email has a subject."],
		[{ content: "x", email: ["me"], attach: true }, "no files to attach"],
		[{ work: ["y"], dashboard: true, attach: true }, "Files can be attached to an email"],
		[{ content: "x", email: ["anna@example.com"] }, "anna@example.com is neither"],
		[{ content: "x", dashboard: true, in: "soon" }, "The duration can't be read: soon"],
		[{ content: "x", dashboard: true, at: "noon" }, "The time can't be read: noon"],
		[{ content: "x", dashboard: true, at: "2026-11-23 08:00", timezone }, "That time has passed."],
		[{ content: "x", dashboard: true, timezone: "Bangkok" }, "Bangkok is not a known time zone."],
	])("refuses %j with what to type instead", async (flags, message) => {
		await expect(newPlan(flags, now)).rejects.toMatchObject({
			code: "INVALID_INPUT",
			message: expect.stringContaining(message),
			fix: expect.stringMatching(/\S/),
		});
	});
});

describe("`plans create`", () => {
	it("says when it is due in words, and how to follow it", async () => {
		const { lines, asked, code } = await created("--in", "1m", "--dashboard", "--content", "Drink some water");
		expect(asked).toHaveLength(1);
		expect(code).toBe(0);
		expect(lines[0]).toBe("Created.");
		expect(lines.join("\n")).toMatch(/Due in 1 min, (?:at|tomorrow at) \d\d:\d\d\./);
		expect(lines.at(-1)).toContain("plans watch beaches");
	});

	const unavailable = {
		code: "CHANNEL_NOT_SET_UP",
		message: "Email has no server.",
		fix: "Set up email: `xworkmate channels setup email`.",
	};
	const email = Channel.parse({ channel: "email", ready: false, unavailable, settings: {}, secrets: [] });
	const notReady = [
		"  Email isn’t ready, so nothing can be sent through it until it is.",
		"    Email has no server. (CHANNEL_NOT_SET_UP)",
		"    Set up email: `xworkmate channels setup email`.",
	];

	it.each([
		["a channel that is not ready", email, "pending", notReady],
		["a channel that is ready", { ...email, ready: true, unavailable: undefined }, "pending", []],
		["another channel that is not ready", { ...email, channel: "whatsapp" as const }, "pending", []],
		["nothing that it sends any more", email, "completed", []],
	] as const)("and `plans show` name %s, with its fix", async (_, channel, status, expected) => {
		const { occurrence: _none, ...never } = plan({ status, delivery: [action({ status: "pending", attempts: 0 })] });
		const made: Plan = { ...never, ...(status === "pending" && { nextDueAt: new Date(Date.now() + 60_000).toISOString() }) };
		const api = { createPlan: async () => made, plan: async () => made, channels: async () => ({ channels: [channel as Channel] }) };
		for (const args of [
			["create", "--email", "me", "--content", "x"],
			["show", "beaches"],
		]) {
			const { lines, code } = await runAgainst(api, ["plans", ...args]);
			const at = lines.findIndex((line) => line.includes("isn’t ready"));
			expect([code, at === -1 ? [] : lines.slice(at, at + 3)]).toEqual([0, expected]);
		}
	});

	it("says beside the JSON of a new plan that a channel is not ready", async () => {
		const { occurrence: _none, ...never } = plan({ status: "pending", delivery: [action({ status: "pending", attempts: 0 })] });
		const made: Plan = { ...never, nextDueAt: new Date(Date.now() + 60_000).toISOString() };
		const api = { createPlan: async () => made, channels: async () => ({ channels: [email] }) };
		const { lines, notes, code } = await runAgainst(api, ["plans", "create", "--email", "me", "--content", "x", "--json"]);
		expect([code, lines.map((line) => JSON.parse(line).planId), notes]).toEqual([0, ["beaches"], notReady.map((line) => line.slice(2))]);
	});

	it("refuses two times at once, and an empty channel", async () => {
		expect((await created("--in", "1m", "--at", "09:00", "--content", "x", "--dashboard")).said).toContain("cannot be used with option");
		expect((await created("--email", "", "--content", "x")).said).toContain("It must not be empty.");
	});

	it("prints the bridge's plan as JSON", async () => {
		const { lines } = await created("--dashboard", "--content", "x", "--json");
		expect(JSON.parse(lines[0] ?? "")).toMatchObject({ planId: "beaches" });
	});
});
