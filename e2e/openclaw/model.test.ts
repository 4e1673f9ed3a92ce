import { describe, it } from "vitest";
import { settle } from "../support/bridge/settle.ts";
import { gatewayTurn, startGatewayBridge, useGatewayBridge } from "../support/openclaw/openclaw-suite.ts";

const client = useGatewayBridge();

describe.concurrent("a model that", () => {
	it.for([
		["answers 400", "FAKE:ERR 400"],
		["answers 429", "FAKE:ERR 429"],
		["answers garbage", "FAKE:GARBAGE"],
		["says nothing", "FAKE:NOTHING"],
	] as const)("[T4-47] %s fails the run by name, with none of an earlier run's words", async ([, prompt], { expect }) => {
		const first = await settle(client, gatewayTurn("FAKE:SAY words of the first run"));
		expect(first.snapshot).toMatchObject({ status: "completed", output: { text: "words of the first run" } });
		const { threadId } = first.snapshot;
		const { snapshot } = await settle(client, gatewayTurn(prompt, { threadId }), { method: "session.message" });
		expect(snapshot).toMatchObject({ status: "failed", code: expect.stringMatching(/^(OPENCLAW_AGENT_ERROR|NO_OUTPUT)$/) });
		expect(JSON.stringify([snapshot.output, snapshot.message])).not.toContain("words of the first run");
	});

	it("says 5 MB has all of it counted", async ({ expect }) => {
		const { snapshot } = await settle(client, gatewayTurn("FAKE:BIG 5000000"));
		expect(snapshot).toMatchObject({ status: "completed", output: { truncated: true, totalBytes: 5_000_000 } });
	});

	it("[T4-81] hangs is ended at the deadline", async ({ expect }) => {
		await using hasty = await startGatewayBridge({ env: { XWORKMATE_RUN_BUDGET_MS: "4000" } });
		const { snapshot } = await settle(hasty.client(), gatewayTurn("FAKE:HANG"));
		expect(snapshot).toMatchObject({ status: "interrupted", code: "DEADLINE_EXCEEDED" });
	});
});
