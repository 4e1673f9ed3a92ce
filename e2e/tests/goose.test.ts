import { afterAll, beforeAll, expect, it } from "vitest";
import { installAgents } from "../agents/install.ts";
import { decide, question } from "../support/approvals.ts";
import type { BareClient } from "../support/bare-client.ts";
import { type BridgeProcess, startBridge } from "../support/bridge-process.ts";
import { type FakeModel, startFakeModel } from "../support/fake-model.ts";
import { realAgent } from "../support/real-agents.ts";
import { sha256Of } from "../support/served-artifacts.ts";
import { settle } from "../support/settle.ts";
import { type TemporaryHome, temporaryHome } from "../support/temporary-home.ts";
import { turn } from "../support/turn.ts";

let home: TemporaryHome;
let model: FakeModel;
let bridge: BridgeProcess;
let client: BareClient;

beforeAll(async () => {
	await installAgents(["goose"]);
	home = await temporaryHome();
	model = await startFakeModel(home.path);
	bridge = await startBridge({ home, providers: [await realAgent("goose", home, model.url)] });
	client = bridge.client();
}, 120_000);
afterAll(async () => {
	await bridge[Symbol.asyncDispose]();
	await model[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

const goose = (prompt: string, threadId?: string) =>
	turn({ prompt, providerId: "real-goose", ...(threadId === undefined ? {} : { threadId }) });
const lastRequest = async () => JSON.stringify((await model.requests()).findLast(({ act }) => act !== undefined)?.body);

it("[T4-38] lets a real agent write the file with its own tool, after a person allowed it, and go on in a second turn", async () => {
	const first = await settle(client, goose("FAKE:WRITE $XWORKMATE_ARTIFACT_DIRECTORY/report.md written by goose"), {
		during: async (stream) => {
			await decide(client, (await question(stream)).approvalId, "allow_once");
		},
	});
	expect(first.snapshot).toMatchObject({ status: "completed", artifacts: { items: [{ relativePath: "report.md" }] } });
	expect(first.snapshot.artifacts.items[0]?.sha256).toBe(sha256Of("written by goose"));
	expect(first.updates.some(({ update }) => update.kind === "tool_call" && update.state === "completed")).toBe(true);
	const second = await settle(client, goose("FAKE:SAY the second answer", first.snapshot.threadId), { method: "session.message" });
	expect(second.snapshot).toMatchObject({ status: "completed", output: { text: "the second answer" }, artifacts: { count: 0 } });
	const request = await lastRequest();
	expect(request).toContain("written by goose");
	expect(request).toContain("FAKE:SAY the second answer");
});

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
	expect((await model.requests()).some(({ abortedByCaller }) => abortedByCaller === true)).toBe(true);
});

// An agent that reports a model error as plain text cannot be told apart from one that answers.
it.fails("fails a run whose model answered with an HTTP error", async () => {
	const { snapshot } = await settle(client, goose("FAKE:ERR 400"));
	expect(snapshot.status).toBe("failed");
});
