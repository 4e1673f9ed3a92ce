import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { z } from "zod";
import { settle } from "../support/bridge/settle.ts";
import { waitUntil } from "../support/machine/wait-until.ts";
import {
	gatewaySettings,
	gatewayTurn,
	requestsAbout,
	TURN_BOUND_MS,
	useGatewayBridge,
	useOnboardedGateway,
} from "../support/openclaw/openclaw-suite.ts";

const gateway = useOnboardedGateway();
const client = useGatewayBridge(gatewaySettings(gateway));

const Sessions = z.object({ sessions: z.array(z.object({ key: z.string() })) });

/** Settles once a conversation that holds the mark says that a turn of it was blocked. */
async function blockedTurn(mark: string): Promise<true> {
	using operator = await gateway.connect();
	return await waitUntil("the turn that the gateway begins by itself", TURN_BOUND_MS, async () => {
		const { sessions } = Sessions.parse(await operator.request("sessions.list", {}));
		const said = await Promise.all(
			sessions.map(async ({ key }) => JSON.stringify(await operator.request("chat.history", { sessionKey: key }))),
		);
		return said.some((text) => text.includes(mark) && text.includes("blocked by xworkmate")) ? true : undefined;
	});
}

it("asks no model when a background command ends after its run, and says in the run that the command goes on", async () => {
	const mark = randomUUID();
	const command = JSON.stringify({ command: `sleep 4; echo over-${mark}`, background: true });
	const { snapshot, updates } = await settle(client, gatewayTurn(`FAKE:TOOL exec ${command} ;; SAY it builds`));
	expect(snapshot).toMatchObject({ status: "completed", output: { text: "it builds" } });
	const notices = updates.flatMap(({ update }) => (update.kind === "notice" ? [update] : []));
	expect(notices).toMatchObject([{ code: "WORK_GOES_ON", message: expect.stringContaining(mark) }]);
	const before = (await requestsAbout(mark)).length;
	await blockedTurn(mark);
	expect((await requestsAbout(mark)).length).toBe(before);
	const next = await settle(client, gatewayTurn("FAKE:SAY here", { threadId: snapshot.threadId }), { method: "session.message" });
	expect(next.snapshot).toMatchObject({ status: "completed", output: { text: "here" } });
});
