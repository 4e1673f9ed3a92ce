import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startBridge, writeProviders } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { temporaryHome } from "../../support/machine/temporary-home.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";

const bali = "Research the best beaches in Bali for families";
const answers = {
	[bali]:
		"UNRULY:SAY I looked at twelve beaches, step 1 of 3.\n\n<deliverable>\nSanur: calm and shallow.\nNusa Dua: clean.\n</deliverable>",
	"No tags": "UNRULY:SAY Here are the results: Sanur and Nusa Dua.",
	"Both tags": "UNRULY:SAY Work.\n<deliverable>\nOne\n</deliverable>\nMore.\n<deliverable>\nTwo\n</deliverable>",
	"Claim in the log": `UNRULY:SAY I've emailed Anna for you, and your table is booked.\n\n<deliverable>\nSanur is calm.\n</deliverable>`,
	"Claim a file": `UNRULY:UPDATE ${JSON.stringify({ sessionUpdate: "tool_call_update", toolCallId: "e1", title: "beaches.md", kind: "edit", status: "completed", locations: [{ path: "beaches.md" }] })} ;; SAY I have saved the list as beaches.md.\n\n<deliverable>\nSanur is calm.\n</deliverable>`,
	"Claim in the message": `UNRULY:SAY Notes.\n\n<deliverable>\nHi Anna, I've booked the table for you.\n</deliverable>`,
	"Claim behind a long log": `UNRULY:SAY ${"I looked at one more beach. ".repeat(20_000)}\n\n<deliverable>\nYour table is booked.\n</deliverable>`,
	News: `UNRULY:SAY Notes.\n\n<deliverable>\n${"190 cars, charged in nine minutes\nThe bridge was closed for two hours."}\n</deliverable>`,
	"Refuse it": "UNRULY:SAY I can't help with that.\n<deliverable>NONE</deliverable>",
};

/** A bridge with an agent that answers each instruction in several lines. */
async function agentBridge() {
	const home = await temporaryHome();
	const stories = join(home.path, "stories.json");
	await writeFile(stories, JSON.stringify(answers));
	await writeProviders(home, [unrulyAgent("unruly", { UNRULY_STORIES: stories })]);
	const bridge = await startBridge({ home });
	return {
		desk: new PlanDesk(bridge.client()),
		client: bridge.client(),
		async [Symbol.asyncDispose]() {
			await bridge[Symbol.asyncDispose]();
			await home[Symbol.asyncDispose]();
		},
	};
}

it("[T2-79][T2-80][T2-82][T2-83] sends what is between an agent's tags, and shows all of its answer in the conversation", async () => {
	await using bridge = await agentBridge();
	const { desk, client } = bridge;
	const plan = await desk.create({ title: "Beaches", instructions: bali, work: [{ description: bali }] });
	const occurrence = await desk.settled(plan.planId);
	const text = "Sanur: calm and shallow.\nNusa Dua: clean.";
	expect(occurrence).toMatchObject({ status: "completed", work: [{ status: "completed" }], deliverable: { text, source: "model" } });
	expect((await desk.inbox()).map((row) => row.text)).toEqual([text]);
	const [run] = await desk.runs(plan.threadId);
	const snapshot = await client.snapshot({ runId: run?.runId ?? "" });
	expect(snapshot).toMatchObject({
		origin: { kind: "plan", id: plan.planId },
		output: { text: expect.stringContaining("twelve beaches") },
	});
	const input = await client.rpc("xworkmate.tasks.input", { runId: run?.runId });
	expect(input).toMatchObject({ prompt: expect.stringContaining('Task: "Beaches"') });
	expect(input).toMatchObject({ prompt: expect.stringContaining("Your deliverable will be shown on the dashboard") });
});

it("[T2-43][T2-45][T2-89] holds an answer without tags, with two blocks, and a refusal, and sends nothing", async () => {
	await using bridge = await agentBridge();
	const { desk } = bridge;
	const codes = { "No tags": "GATE_MISSING", "Both tags": "GATE_SEVERAL", "Refuse it": "GATE_DECLINED" };
	for (const [instructions, code] of Object.entries(codes)) {
		const plan = await desk.create({ instructions });
		expect(await desk.settled(plan.planId), instructions).toMatchObject({
			status: "needs_review",
			delivery: [{ status: "needs_review", code }],
		});
	}
	const quiet = await desk.create({ instructions: "Refuse it", whenDeclined: "stay_quiet" });
	expect(await desk.settled(quiet.planId)).toMatchObject({ status: "skipped", code: "NOTHING_TO_SAY" });
	expect(await desk.inbox()).toEqual([]);
});

it("holds a message of a run that claims a file which is not there, with the reason, and does not call its work done", async () => {
	await using bridge = await agentBridge();
	const plan = await bridge.desk.create({ instructions: "Claim a file", work: [{ description: "List the beaches" }] });
	const message = "The answer says that a file was written or moved, but it wasn't found in the run's folders when the run ended.";
	expect(await bridge.desk.settled(plan.planId)).toMatchObject({
		status: "needs_review",
		work: [{ status: "unverified" }],
		runs: [{ status: "completed", message }],
		delivery: [{ status: "needs_review", code: "WORK_UNVERIFIED", message }],
	});
	expect(await bridge.desk.inbox()).toEqual([]);
});

it("holds a message that claims what nothing backs, and none for what its work log says", async () => {
	await using bridge = await agentBridge();
	const { desk } = bridge;
	for (const [instructions, text] of Object.entries({
		"Claim in the message": "Hi Anna, I've booked the table for you.",
		"Claim behind a long log": "Your table is booked.",
	})) {
		const plan = await desk.create({ instructions });
		expect(await desk.settled(plan.planId), instructions).toMatchObject({
			status: "needs_review",
			deliverable: { text },
			grounding: { state: "unverified", problems: [{ code: "CLAIM_WITHOUT_ACTION", start: 0, end: text.length }] },
			delivery: [{ status: "needs_review", code: "UNVERIFIED_CLAIM" }],
		});
	}
	for (const instructions of ["Claim in the log", "News"]) {
		const plan = await desk.create({ instructions });
		const occurrence = await desk.settled(plan.planId);
		expect(occurrence, instructions).toMatchObject({ status: "completed", delivery: [{ status: "completed" }] });
		expect(occurrence).not.toHaveProperty("grounding");
	}
	expect((await desk.inbox()).map(({ text }) => text)).toEqual([expect.stringContaining("190 cars"), "Sanur is calm."]);
});
