import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { agentDefinition } from "../../agents/definitions.ts";
import { installPrograms } from "../../agents/install.ts";
import { decide, question } from "../../support/app/approvals.ts";
import { runCommand } from "../../support/app/command.ts";
import { syncedFiles } from "../../support/app/thread-folder.ts";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { settle } from "../../support/bridge/settle.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import { type FakeModel, startFakeModel } from "../../support/model/fake-model.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";
import { mailAction, mailText, setUpEmail } from "../../support/plans/set-up-email.ts";
import { startFakeSmtp } from "../../support/services/smtp-server.ts";
import type { BareClient } from "../../support/wire/bare-client.ts";
import { receiptsOf } from "../../support/wire/receipts.ts";
import { refused } from "../../support/wire/refused.ts";
import { sha256Of } from "../../support/wire/served-artifacts.ts";
import { turn } from "../../support/wire/turn.ts";
import type { TaskSnapshot } from "../../support/wire/wire.ts";

let home: TemporaryHome;
let model: FakeModel;
let bridge: BridgeProcess;
let client: BareClient;

beforeAll(async () => {
	await installPrograms(["goose"]);
	home = await temporaryHome();
	model = await startFakeModel();
	bridge = await startBridge({ home, providers: [agentDefinition("goose", { modelUrl: model.url, home: join(home.path, "goose") })] });
	client = bridge.client();
}, 120_000);
afterAll(async () => {
	await bridge[Symbol.asyncDispose]();
	await model[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

const goose = (prompt: string, threadId?: string) => turn({ prompt, providerId: "goose", ...(threadId === undefined ? {} : { threadId }) });
/** Of a provider that was really tried. */
const tried = async (providerId: string) =>
	(await client.rpc("xworkmate.providers.test", { providerId })) as { provider: object; tookMs: number };
const lastRequest = async () => JSON.stringify((await model.requests()).findLast(({ act }) => act !== undefined)?.body);

it("is really tried without asking its model, and one that is not installed says so", async () => {
	const { provider, tookMs } = await tried("goose");
	expect(provider).toMatchObject({ providerId: "goose", available: true });
	expect(tookMs).toBeGreaterThan(0);
	// It may look which models there are; it says nothing to one.
	expect((await model.requests()).filter(({ act }) => act !== undefined)).toEqual([]);
	expect(await client.rpc("xworkmate.tasks.list")).toEqual({ items: [] });
	expect((await tried("hermes")).provider).toMatchObject({ available: false, unavailable: { code: "PROVIDER_NOT_INSTALLED" } });
	expect(await refused(tried("nobody"))).toMatchObject({ data: { code: "PROVIDER_NOT_FOUND" } });
});

it("[T1-30] [T4-38] lets a real agent write the file with its own tool, after a person allowed it, and go on in a second turn", async () => {
	const first = await settle(client, goose("FAKE:WRITE $XWORKMATE_ARTIFACT_DIRECTORY/report.md written by goose"), {
		during: async (stream) => {
			await decide(client, (await question(stream)).approvalId, "allow_once");
		},
	});
	expect(first.snapshot).toMatchObject({ status: "completed", artifacts: { items: [{ relativePath: "report.md" }] } });
	expect(first.snapshot.artifacts.items[0]?.sha256).toBe(sha256Of("written by goose"));
	expect(first.updates.some(({ update }) => update.kind === "tool_call" && update.state === "completed")).toBe(true);
	await expectReported(first.snapshot.runId);
	const second = await settle(client, goose("FAKE:SAY the second answer", first.snapshot.threadId), { method: "session.message" });
	expect(second.snapshot).toMatchObject({ status: "completed", output: { text: "the second answer" }, artifacts: { count: 0 } });
	const request = await lastRequest();
	expect(request).toContain("written by goose");
	expect(request).toContain("FAKE:SAY the second answer");
});

/** What the agent did by itself is in the receipts as reported, and the activity has the same bytes in the command and on the wire. */
async function expectReported(runId: string): Promise<void> {
	const receipts = await receiptsOf(client, runId);
	const types = ["requested", "approved", "started", "succeeded"].map((type) => `reported tool.call.${type}`);
	expect(receipts.map(({ type, origin }) => `${origin} ${type}`)).toEqual(types);
	const response = await fetch(`${bridge.url}/runs/${runId}/activity`, { headers: { authorization: `Bearer ${bridge.token}` } });
	const bytes = await response.text();
	expect(JSON.parse(bytes)).toMatchObject({ completed: 0, counts: { reported: 1 }, items: [{ origin: "reported", status: "succeeded" }] });
	expect((await runCommand(home, ["activity", runId, "--json"])).stdout).toBe(`${bytes}\n`);
}

it("keeps the agent from acting when a person denies it", async () => {
	const { snapshot } = await settle(client, goose("FAKE:WRITE $XWORKMATE_ARTIFACT_DIRECTORY/report.md never"), {
		during: async (stream) => {
			await decide(client, (await question(stream)).approvalId, "deny");
		},
	});
	expect(snapshot).toMatchObject({ status: "completed", artifacts: { count: 0 } });
});

it("[T4-60] stops a real agent in the middle of its words", async () => {
	const { snapshot } = await settle(client, goose("FAKE:SLOW 60"), {
		during: async (stream) => {
			const { runId } = await stream.until("the first words", ({ update }) => update.kind === "message_delta");
			await client.rpc("xworkmate.tasks.cancel", { runId });
		},
	});
	expect(snapshot.status).toBe("cancelled");
	await waitUntil("the agent to hang up on its model", 5_000, async () =>
		(await model.requests()).some(({ abortedByCaller }) => abortedByCaller === true) ? true : undefined,
	);
});

it("[T4-10] puts the agent's file into the thread's folder, by the command, after the permission was answered", async () => {
	const prompt = "FAKE:WRITE $XWORKMATE_ARTIFACT_DIRECTORY/report.md by the command";
	const ended = await runCommand(home, ["run", "--provider", "goose", "--approve", "all", prompt]);
	expect(ended.code, ended.stderr).toBe(0);
	expect(ended.stderr).toMatch(/allowed/);
	expect(Object.values(await syncedFiles(home))).toEqual([sha256Of("by the command")]);
});

it("[T2-02][T2-59] works for a plan, whose message alone is mailed, once, while its thoughts stay in the conversation", async () => {
	await using smtp = await startFakeSmtp();
	await setUpEmail(client, smtp);
	const desk = new PlanDesk(client);
	const routing = { executionTarget: "agent", providerId: "goose" };
	const plan = await desk.create({
		title: "Beaches",
		instructions: "FAKE:DELIVER Sanur is calm, Nusa Dua is clean.",
		work: [{ description: "Research beaches" }],
		delivery: [{ channel: "email" }],
		routing,
	});
	const text = "Sanur is calm, Nusa Dua is clean.";
	const occurrence = await desk.settled(plan.planId);
	expect(occurrence).toMatchObject({ status: "completed", gate: { valid: true }, deliverable: { text, source: "model" } });
	expect((await smtp.mails()).map((mail) => [mailAction(mail), mailText(mail)])).toEqual([[`${plan.planId}-1-1`, text]]);
	const snapshot = await client.snapshot({ runId: String(occurrence.runs[0]?.runId) });
	expect(snapshot).toMatchObject({ status: "completed", output: { text: expect.stringContaining("step 1 of 1") } });
});

let afterModelError: TaskSnapshot | undefined;

it("ends a run whose model answered with an HTTP error", async () => {
	afterModelError = (await settle(client, goose("FAKE:ERR 400"))).snapshot;
	expect(afterModelError.output?.text).toContain("fake error 400");
});

// An agent that reports a model error as plain text cannot be told apart from one that answers.
it.fails("calls such a run failed", () => {
	expect(afterModelError?.status).toBe("failed");
});
