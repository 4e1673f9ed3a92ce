import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { approvals, decide } from "../../support/app/approvals.ts";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import { type FakeModel, startFakeModel } from "../../support/model/fake-model.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";
import { Plan } from "../../support/plans/plan-wire.ts";
import { said } from "../../support/plans/said-plan.ts";
import { receiptsOf } from "../../support/wire/receipts.ts";
import { turn } from "../../support/wire/turn.ts";
import { isOver, TaskSnapshot } from "../../support/wire/wire.ts";

const wires = {
	anthropic: (url: string) => ({ ANTHROPIC_API_KEY: "sk-ant-api03-fake", XWORKMATE_ANTHROPIC_URL: url }),
	"openai chat": (url: string) => ({ OPENAI_BASE_URL: `${url}/v1` }),
	"openai responses": (url: string) => ({ OPENAI_BASE_URL: `${url}/v1`, XWORKMATE_OPENAI_WIRE: "responses" }),
};
const content = "Don't forget to call mom";
const words = `Put this on my dashboard in 2 hours: ${content}`;
const when = { kind: "in", amount: 2, unit: "hours", words: ["in 2 hours"] };
const task = { title: "Call mom", delivery: [{ channel: "dashboard", channelWords: "dashboard", content }], when };
const truth = [{ text: "Your reminder: " }, { receiptId: "$receipt(1)" }];
const LIE = "I scheduled it, you will be reminded at 9.";
const lie = [{ text: LIE }];
const plain = [{ text: "Whom do you mean?" }];
const Shown = z.looseObject({ scheduleWords: z.string(), words: z.string().optional() });
const Listed = z.object({ items: z.array(Plan) });

/** A plan without what is of its own: its ids, and when it was made. */
function alike({ delivery, ...plan }: Plan) {
	return {
		...plan,
		planId: "",
		threadId: "",
		createdAt: "",
		updatedAt: "",
		delivery: delivery.map((action) => ({ ...action, actionId: "" })),
	};
}

describe.each(Object.entries(wires))("a plan of a chat over %s", (wire, environment) => {
	// What follows a call is the same for all protocols; one turn shows each of them.
	const ofOne = it.runIf(wire === "anthropic");
	let model: FakeModel;
	let bridge: BridgeProcess;
	let desk: PlanDesk;
	beforeAll(async () => {
		model = await startFakeModel();
		bridge = await startBridge({ env: { ...environment(model.url), XWORKMATE_PARK_MS: "50", TZ: "Asia/Bangkok" } });
		desk = new PlanDesk(bridge.client());
	});
	afterAll(async () => {
		await bridge[Symbol.asyncDispose]();
		await model[Symbol.asyncDispose]();
	});

	async function submit(prompt: string): Promise<string> {
		return TaskSnapshot.parse(await bridge.client().rpc("session.start", turn({ prompt, providerId: "assistant" }))).runId;
	}

	function asked(runId: string) {
		return waitUntil("the question", 20_000, async () => {
			const pending = await approvals(bridge.client(), { state: "pending" });
			return pending.find((each) => each.runId === runId);
		});
	}

	function end(runId: string): Promise<TaskSnapshot> {
		return waitUntil(`the end of ${runId}`, 30_000, async () => {
			const snapshot = await bridge.client().snapshot({ runId });
			return isOver(snapshot.status) ? snapshot : undefined;
		});
	}

	const plans = async () => Listed.parse(await desk.call("list", {})).items;
	async function trail(runId: string) {
		const receipts = await receiptsOf(bridge.client(), runId);
		return receipts.filter(({ type }) => type.startsWith("tool.call."));
	}

	it("[T2-93] is the same plan as the form makes, with receipts that name it, and only after the yes", async () => {
		const before = (await plans()).length;
		const runId = await submit(said(words, task, truth));
		const question = await asked(runId);
		expect(question).toMatchObject({ toolId: "xworkmate.plan.create", risk: "write", options: ["allow_once", "deny"] });
		expect(await plans()).toHaveLength(before);
		await decide(bridge.client(), question.approvalId, "allow_once");
		const snapshot = await end(runId);
		const [made] = await plans();
		expect(await plans()).toHaveLength(before + 1);
		const due = Date.parse(String(made?.nextDueAt));
		expect(due).toBe(Date.parse(snapshot.createdAt) + 2 * 3_600_000);
		const plan = await desk.get(String(made?.planId));
		const terms = { title: "Call mom", type: "scheduled", scheduledFor: plan.nextDueAt, timezone: "Asia/Bangkok" };
		const byForm = await desk.create({
			requestId: randomUUID(),
			...terms,
			words: Shown.parse(plan).words,
			delivery: [{ channel: "dashboard", content }],
		});
		expect(alike(plan)).toEqual(alike(await desk.get(byForm.planId)));
		expect(snapshot).toMatchObject({ status: "completed", grounding: { state: "grounded" } });
		expect(snapshot).toMatchObject({ activity: { items: [{ toolId: "xworkmate.plan.create", planId: plan.planId }] } });
		expect(snapshot.output?.text).toContain(
			`Create the plan "Call mom", due ${Shown.parse(plan).scheduleWords}; as an inbox message to you: exactly "${content}"`,
		);
		const receipts = await trail(runId);
		expect(receipts.map(({ type }) => type.replace("tool.call.", ""))).toEqual(["requested", "approved", "started", "succeeded"]);
		expect(JSON.stringify(receipts.at(-1))).toContain(plan.planId);
		await desk.call("delete", { planId: byForm.planId });
	});

	ofOne("is not made after a no, whatever the model says", async () => {
		const before = await plans();
		const runId = await submit(said(words, task, lie, lie));
		await decide(bridge.client(), (await asked(runId)).approvalId, "deny");
		const snapshot = await end(runId);
		expect(snapshot).toMatchObject({ grounding: { state: "replaced" } });
		expect(snapshot.output?.text).not.toContain(LIE);
		expect(snapshot.output?.text).toContain("Not done, because it was denied:");
		expect(await plans()).toEqual(before);
	});

	ofOne("is not said to be made by a model that called nothing", async () => {
		const before = await plans();
		const snapshot = await end(await submit(said(words, undefined, lie, lie)));
		expect(snapshot).toMatchObject({ grounding: { state: "replaced" } });
		expect(snapshot.output?.text).not.toContain(LIE);
		expect(await plans()).toEqual(before);
	});

	const message = { channel: "dashboard", channelWords: "dashboard", content };
	ofOne.each([
		["somebody invented", "RECIPIENT_UNKNOWN", { delivery: [{ ...message, recipient: "Eve" }] }],
		["a message in other words", "CONTENT_CHANGED", { delivery: [{ ...message, content: "Call your mother, please" }] }],
		["a time that nobody said", "TIME_UNCLEAR", { when: { kind: "in", amount: 3, unit: "hours", words: ["in 3 hours"] } }],
		["a channel that nobody named", "CHANNEL_MISSING", { delivery: [{ ...message, channel: "email", channelWords: "email" }] }],
		[
			"a time that is over",
			"TIME_PAST",
			{ when: { kind: "at", day: { year: 2020, month: 1, day: 2 }, clock: { hour: 9, minute: 0 }, words: ["2020-01-02 at 9:00"] } },
		],
	])("is not asked about with %s: the model is told what to ask", async (_what, code, change) => {
		const before = await plans();
		const sentence = code === "TIME_PAST" ? `Put this on my dashboard 2020-01-02 at 9:00: ${content}` : words;
		const runId = await submit(said(sentence, { ...task, ...change }, plain));
		const snapshot = await end(runId);
		expect(snapshot).toMatchObject({ status: "completed" });
		const receipts = await trail(runId);
		expect(receipts.map(({ type }) => type.replace("tool.call.", ""))).toEqual(["requested", "failed"]);
		expect(JSON.stringify(receipts.at(-1))).toContain(code);
		expect(await plans()).toEqual(before);
	});

	ofOne(
		"is made once, as it was shown, by a bridge that is killed before, while and after it is allowed",
		{ timeout: 90_000 },
		async () => {
			const before = (await plans()).length;
			const runId = await submit(said(words, task, truth));
			const shown = (await asked(runId)).words;
			await bridge.restart("SIGKILL");
			desk = new PlanDesk(bridge.client());
			const question = await asked(runId);
			expect(question.words).toBe(shown);
			await Promise.allSettled([decide(bridge.client(), question.approvalId, "allow_once"), bridge.kill("SIGKILL")]);
			await bridge.start();
			desk = new PlanDesk(bridge.client());
			const open = (await approvals(bridge.client(), { state: "pending" })).find((each) => each.runId === runId);
			if (open !== undefined) await decide(bridge.client(), open.approvalId, "allow_once");
			await waitUntil("the plan", 20_000, async () => ((await plans()).length > before ? true : undefined));
			await bridge.restart("SIGKILL");
			desk = new PlanDesk(bridge.client());
			const snapshot = await end(runId);
			expect(snapshot).toMatchObject({ status: "completed", grounding: { state: "grounded" } });
			expect(snapshot.output?.text).toContain(String(shown));
			const all = await plans();
			expect(all).toHaveLength(before + 1);
			expect(shown).toContain(String(Shown.parse(all[0]).scheduleWords));
			expect((await trail(runId)).filter(({ type }) => type === "tool.call.succeeded")).toHaveLength(1);
		},
	);
});
