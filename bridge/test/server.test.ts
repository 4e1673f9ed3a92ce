import { pino } from "pino";
import { expect, it } from "vitest";
import { openBridge } from "../src/server.ts";
import { readConfig } from "./config/read-config.ts";
import { Core } from "./runs/core-fixture.ts";
import { hang, working } from "./runs/plays.ts";

const token = "a-token-for-these-tests";

it("listens before it has looked at the runs of its predecessor, and answers about none of them until it has", async () => {
	await using core = await Core.open(async (turn, sink, stop) => {
		await sink.emit({ kind: "message_delta", messageId: "m", text: "at work" });
		return hang(turn, sink, stop);
	});
	const runId = await core.submit("t1");
	await core.until(runId, working);
	await core.die();
	const config = readConfig({ XWORKMATE_HOME: core.home, XWORKMATE_BRIDGE_LISTEN: "127.0.0.1:0" }, []);
	const failures: unknown[] = [];
	const onFatal = (error: unknown) => void failures.push(error);
	const bridge = await openBridge({ config, token, logger: pino({ level: "silent" }), before: "died", onFatal });
	try {
		const url = await bridge.listen();
		const answer = fetch(`${url}/acp/rpc`, {
			method: "POST",
			headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
			body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "xworkmate.tasks.list", params: {} }),
		});
		expect((await fetch(`${url}/healthz`)).status).toBe(200);
		expect((await fetch(`${url}/readyz`)).status).toBe(503);
		await bridge.recover();
		expect(await (await answer).json()).toMatchObject({ result: { items: [{ runId, status: "interrupted", code: "BRIDGE_RESTARTED" }] } });
		expect((await fetch(`${url}/readyz`)).status).toBe(200);
		expect(failures).toEqual([]);
	} finally {
		await bridge.close();
		// The one that died can't be ended any more.
		await core.load();
	}
});
