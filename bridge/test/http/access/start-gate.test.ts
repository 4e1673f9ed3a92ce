import { expect, it } from "vitest";
import { startBridge } from "../bridge-under-test.ts";
import { errorCode, exchange, json, post, rpcBody } from "../wire-client.ts";

const ready = { path: "/readyz", token: undefined };

it("answers no request about runs before the bridge knows how they are, and then the one that has waited", async () => {
	await using bridge = await startBridge({ startMs: 60_000 });
	let answered = false;
	const waiting = post(bridge, rpcBody("xworkmate.tasks.list")).then((answer) => {
		answered = true;
		return answer;
	});
	const early = await exchange(bridge, ready);
	expect([early.status, json(early)]).toEqual([503, { status: "starting" }]);
	for (const path of ["/healthz", "/metrics", "/openrpc.json"]) expect((await exchange(bridge, { path })).status, path).toBe(200);
	expect(answered).toBe(false);
	bridge.gate.open();
	expect(json(await waiting)).toMatchObject({ result: { items: [] } });
	const late = await exchange(bridge, ready);
	expect([late.status, json(late)]).toEqual([200, { status: "ready" }]);
});

it("answers after a while that it is starting, which can be tried again", async () => {
	await using bridge = await startBridge({ startMs: 1 });
	for (const path of ["/acp/rpc", "/artifacts/r/x", "/runs/r/output"]) {
		const answer = await exchange(bridge, { path, ...(path === "/acp/rpc" ? { method: "POST", body: "{}" } : {}) });
		expect([path, answer.status, errorCode(answer)]).toEqual([path, 503, "BRIDGE_STARTING"]);
		expect(json(answer)).toMatchObject({ error: { data: { retryable: true } } });
	}
});

it("asks for the token first", async () => {
	await using bridge = await startBridge({ startMs: 60_000 });
	expect((await exchange(bridge, { path: "/runs/r/output", token: undefined })).status).toBe(401);
});
