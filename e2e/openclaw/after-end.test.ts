import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import type { BareClient } from "../support/bare-client.ts";
import type { BridgeProcess } from "../support/bridge-process.ts";
import type { OpenClawGateway } from "../support/openclaw-gateway.ts";
import {
	gatewaySettings,
	gatewayTurn,
	requestsAbout,
	startGatewayBridge,
	TURN_BOUND_MS,
	useOnboardedGateway,
} from "../support/openclaw-suite.ts";
import { settle } from "../support/settle.ts";
import { waitUntil } from "../support/wait-until.ts";

const gateway = useOnboardedGateway();
let bridge: BridgeProcess;
let client: BareClient;

beforeAll(async () => {
	bridge = await startGatewayBridge({ env: gatewaySettings(gateway) });
	client = bridge.client();
});
afterAll(() => bridge[Symbol.asyncDispose]());

const End = z.object({
	runId: z.string(),
	sessionKey: z.string(),
	stream: z.literal("lifecycle"),
	data: z.object({ phase: z.enum(["end", "error"]), error: z.string().optional() }),
});

/** Settles with the first end of a turn that the gateway began by itself in one of our conversations. */
async function wokenTurn(operator: Awaited<ReturnType<OpenClawGateway["connect"]>>, ownRun: () => string) {
	return waitUntil("a turn that the gateway begins by itself", TURN_BOUND_MS, async () =>
		operator.events
			.flatMap(({ payload }) => End.safeParse(payload).data ?? [])
			.find(({ runId, sessionKey }) => sessionKey.includes(":xwm-") && runId !== ownRun()),
	);
}

it("asks no model when a background command ends after its run, and says in the run that the command goes on", async () => {
	using operator = await gateway.connect();
	const mark = randomUUID();
	const command = JSON.stringify({ command: `sleep 4; echo over-${mark}`, background: true });
	const { snapshot, updates } = await settle(client, gatewayTurn(`FAKE:TOOL exec ${command} ;; SAY it builds`));
	expect(snapshot).toMatchObject({ status: "completed", output: { text: "it builds" } });
	const notices = updates.flatMap(({ update }) => (update.kind === "notice" ? [update] : []));
	expect(notices).toMatchObject([{ code: "WORK_GOES_ON", message: expect.stringContaining(mark) }]);
	const before = (await requestsAbout(mark)).length;
	expect((await wokenTurn(operator, () => snapshot.runId)).data).toMatchObject({
		phase: "error",
		error: expect.stringContaining("xworkmate"),
	});
	expect((await requestsAbout(mark)).length).toBe(before);
	const next = await settle(client, gatewayTurn("FAKE:SAY here", { threadId: snapshot.threadId }), { method: "session.message" });
	expect(next.snapshot).toMatchObject({ status: "completed", output: { text: "here" } });
});
