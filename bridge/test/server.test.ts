import { pino } from "pino";
import { expect, it } from "vitest";
import { openBridge } from "../src/server.ts";
import { readConfig } from "./config/read-config.ts";
import { toEmail } from "./plans/executor/executor-scene.ts";
import { Core } from "./runs/core-fixture.ts";
import { hang, working } from "./runs/plays.ts";
import { claim, claimUntil, duePlan, handOver, second } from "./store/contracts/plan-fixture.ts";

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

it("its first answer about a message that an earlier bridge was sending says that the outcome is unknown", async () => {
	await using core = await Core.open(hang);
	const { plans } = core.store;
	const epoch = await plans.beginEpoch(second(0));
	const planId = await duePlan(plans, "p1", epoch, { delivery: [toEmail()] });
	await claim(plans, planId, claimUntil(epoch));
	await handOver(plans, planId, claimUntil(epoch));
	// Each takes a turn of the event loop to continue, so that a request which has waited is answered before they all are.
	for (let turn = 1; turn <= 20; turn++) await core.submit(`t${turn}`);
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
			body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "xworkmate.plans.get", params: { planId } }),
		});
		// Sent later, so the first request has arrived too, and waits.
		expect((await fetch(`${url}/readyz`)).status).toBe(503);
		await bridge.recover();
		expect(await (await answer).json()).toMatchObject({ result: { delivery: [{ status: "unknown", code: "BRIDGE_RESTARTED" }] } });
		expect(failures).toEqual([]);
	} finally {
		await bridge.close();
		await core.load();
	}
});
