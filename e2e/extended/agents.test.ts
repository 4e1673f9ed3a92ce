import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentName } from "../agents/agents.ts";
import { agentDefinition } from "../agents/definitions.ts";
import { installPrograms } from "../agents/install.ts";
import { decide } from "../support/app/approvals.ts";
import { type BridgeProcess, startBridge } from "../support/bridge/bridge-process.ts";
import { settle } from "../support/bridge/settle.ts";
import { type TemporaryHome, temporaryHome } from "../support/machine/temporary-home.ts";
import { type FakeModel, startFakeModel } from "../support/model/fake-model.ts";
import type { BareClient } from "../support/wire/bare-client.ts";
import type { EventStream } from "../support/wire/event-stream.ts";
import { turn } from "../support/wire/turn.ts";

const names: readonly AgentName[] = ["codex", "claude", "opencode", "gemini"];

/** Allows every question of the run until its end; gives how many there were. */
async function allowAll(client: BareClient, stream: EventStream): Promise<number> {
	const answered = new Set<string>();
	for (;;) {
		const next = stream
			.until(
				"a question or the end",
				({ update }) => update.kind === "approval" && update.state === "pending" && !answered.has(String(update.approvalId)),
				120_000,
			)
			.catch(() => undefined);
		const found = await next;
		if (found === undefined) return answered.size;
		answered.add(String(found.update.approvalId));
		await decide(client, String(found.update.approvalId), "allow_once");
	}
}

describe.each(names)("%s", (name) => {
	let home: TemporaryHome;
	let model: FakeModel;
	let bridge: BridgeProcess;
	let client: BareClient;
	let threadId: string;

	beforeAll(async () => {
		await installPrograms([name]);
		home = await temporaryHome();
		model = await startFakeModel({ FAKE_MODEL_ESCALATE: "1" });
		bridge = await startBridge({ home, providers: [agentDefinition(name, { modelUrl: model.url, home: join(home.path, name) })] });
		client = bridge.client();
	});
	afterAll(async () => {
		await bridge[Symbol.asyncDispose]();
		await model[Symbol.asyncDispose]();
		await home[Symbol.asyncDispose]();
	});

	const ask = (prompt: string, thread?: string) =>
		turn({ prompt, providerId: name, ...(thread === undefined ? {} : { threadId: thread }) });

	it("[T4-38] writes the file with its own tool after a person allowed it", async () => {
		let questions = 0;
		const { snapshot } = await settle(client, ask("FAKE:WRITE $XWORKMATE_ARTIFACT_DIRECTORY/report.md written by the agent"), {
			during: async (stream) => {
				questions = await allowAll(client, stream);
			},
		});
		expect(snapshot, JSON.stringify(snapshot)).toMatchObject({
			status: "completed",
			artifacts: { items: [{ relativePath: "report.md" }] },
		});
		expect(questions).toBeGreaterThanOrEqual(1);
		threadId = snapshot.threadId;
	});

	it("continues the conversation", async () => {
		const { snapshot } = await settle(client, ask("FAKE:SAY the second answer", threadId), { method: "session.message" });
		expect(snapshot).toMatchObject({ status: "completed", output: { text: expect.stringContaining("the second answer") } });
		// An agent asks for more than answers (claude has its sessions named), so: one of the requests of this turn.
		const bodies = (await model.requests()).map(({ body }) => JSON.stringify(body));
		const ofThisTurn = bodies.filter((body) => body.includes("FAKE:SAY the second answer"));
		expect(ofThisTurn).toContainEqual(expect.stringContaining("written by the agent"));
	});

	it("stops in the middle of its words", async () => {
		const { snapshot } = await settle(client, ask("FAKE:SLOW 60", threadId), {
			method: "session.message",
			during: async (stream) => {
				const { runId } = await stream.until("the first words", ({ update }) => update.kind === "message_delta", 120_000);
				await client.rpc("xworkmate.tasks.cancel", { runId });
			},
		});
		expect(snapshot.status).toBe("cancelled");
	});
});
