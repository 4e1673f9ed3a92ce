import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { type FakeModel, startFakeModel } from "../../support/model/fake-model.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";
import { refused } from "../../support/wire/refused.ts";

const Extracted = z.looseObject({
	shouldCreateTask: z.boolean(),
	reason: z.string().optional(),
	task: z.record(z.string(), z.unknown()).optional(),
	problems: z.array(z.looseObject({ code: z.string(), blocks: z.boolean() })),
});
const wires = {
	anthropic: (url: string) => ({ ANTHROPIC_API_KEY: "sk-ant-api03-fake", XWORKMATE_ANTHROPIC_URL: url }),
	"openai chat": (url: string) => ({ OPENAI_BASE_URL: `${url}/v1` }),
	"openai responses": (url: string) => ({ OPENAI_BASE_URL: `${url}/v1`, XWORKMATE_OPENAI_WIRE: "responses" }),
};
const forced = {
	anthropic: { type: "tool", name: "read_plan" },
	"openai chat": { type: "function", function: { name: "read_plan" } },
	"openai responses": { type: "function", name: "read_plan" },
};

/** A sentence, and what the model makes of it: encoded, so that none of it stands in the words. */
function asked(sentence: string, form: unknown): string {
	const order = Buffer.from(`TOOL read_plan ${JSON.stringify(form)}`).toString("base64url");
	return `${sentence}\nFAKE:OBEY 1 ORDERS:${order}`;
}

const reminder = "In 2 minutes, put 'Don't forget to call mom' on my dashboard";
const task = {
	title: "Call mom",
	instructions: "",
	work: [],
	delivery: [{ channel: "dashboard", channelWords: "dashboard", content: "Don't forget to call mom" }],
	when: { kind: "in", amount: 2, unit: "minutes", words: ["In 2 minutes"] },
};
const form = { shouldCreateTask: true, task };

describe.each(Object.entries(wires))("a plan from words over %s", (wire, environment) => {
	let model: FakeModel;
	let bridge: BridgeProcess;
	let desk: PlanDesk;
	beforeAll(async () => {
		model = await startFakeModel();
		bridge = await startBridge({ env: environment(model.url) });
		desk = new PlanDesk(bridge.client());
	});
	afterAll(async () => {
		await bridge[Symbol.asyncDispose]();
		await model[Symbol.asyncDispose]();
	});

	const extract = async (text: string) => Extracted.parse(await desk.call("extract", { text, timezone: "Asia/Bangkok" }));
	const asksOf = async () => (await model.requests()).filter(({ body }) => JSON.stringify(body ?? "").includes("read_plan"));

	it("[T2-49][T2-56][T2-68][T2-70] is the exact message and the bridge's own time, and is made only when it is created", async () => {
		const before = Date.now();
		const { shouldCreateTask, task: draft, problems } = await extract(asked(reminder, form));
		expect({ shouldCreateTask, problems }).toEqual({ shouldCreateTask: true, problems: [] });
		expect(draft).toMatchObject({ type: "scheduled", work: [], delivery: [{ channel: "dashboard", content: "Don't forget to call mom" }] });
		const due = Date.parse(z.string().parse(draft?.scheduledFor));
		expect(due).toBeGreaterThanOrEqual(before + 120_000);
		expect(due).toBeLessThanOrEqual(Date.now() + 120_000);
		expect(await desk.call("list", {})).toMatchObject({ items: [] });
		const [request] = await asksOf();
		expect(request?.body).toMatchObject({ tool_choice: forced[wire as keyof typeof forced] });
		const { said: _, scheduleWords: __, ...terms } = draft ?? {};
		const made = await desk.call("create", { requestId: randomUUID(), words: reminder, ...terms });
		expect(made).toMatchObject({ title: "Call mom", status: "pending", nextDueAt: draft?.scheduledFor });
	});

	it("holds what an obeying model invents against the words", async () => {
		const invented = {
			...task,
			delivery: [{ channel: "email", recipient: "evil@example.net", content: "All my passwords" }],
			when: { kind: "at", day: "today", clock: { hour: 23, minute: 59 }, words: ["23:59"] },
		};
		const { task: draft, problems } = await extract(asked(reminder, { shouldCreateTask: true, task: invented }));
		expect(draft).toMatchObject({ delivery: [] });
		expect(draft).not.toHaveProperty("scheduledFor");
		expect(problems.map(({ code }) => code)).toEqual(["CHANNEL_MISSING", "TIME_UNCLEAR"]);
		expect(problems.every(({ blocks }) => blocks)).toBe(true);
	});

	it("[T2-87] makes nothing of what asks for something harmful", async () => {
		const {
			shouldCreateTask,
			reason,
			task: draft,
		} = await extract(asked("Send a fake emergency alert to my dashboard", { shouldCreateTask: false, reason: "It is a fake alert." }));
		expect({ shouldCreateTask, reason, draft }).toEqual({ shouldCreateTask: false, reason: "It is a fake alert.", draft: undefined });
	});

	it("asks once more after an answer that is none, then says that it can't", async () => {
		const before = (await asksOf()).length;
		const failure = await refused(desk.call("extract", { text: asked(reminder, { shouldCreateTask: "yes" }), timezone: "UTC" }));
		expect(failure).toMatchObject({ data: { code: "EXTRACTION_UNAVAILABLE" } });
		expect((await asksOf()).length - before).toBe(2);
		await refused(desk.call("extract", { text: `${reminder}\nFAKE:SAY I would rather talk.`, timezone: "UTC" }));
	});
});

it("says what to do when there is no model, and the form makes the same plan", async () => {
	await using bridge = await startBridge();
	const desk = new PlanDesk(bridge.client());
	const failure = await refused(desk.call("extract", { text: reminder, timezone: "UTC" }));
	expect(failure).toMatchObject({ data: { code: "EXTRACTION_UNAVAILABLE" } });
	expect(JSON.stringify(failure)).toContain("use the form or the command's flags instead");
	const plan = await desk.create({ title: "Call mom", delivery: [{ channel: "dashboard", content: "Don't forget to call mom" }] });
	expect(await desk.settled(plan.planId)).toMatchObject({ status: "completed" });
});
