import { limits, methods } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { startBridge } from "./bridge-under-test.ts";
import { errorCode, exchange, json, stream } from "./wire-client.ts";

it("serves the whole of the last message that is not blank", async () => {
	await using bridge = await startBridge();
	const runId = await bridge.run();
	bridge.runs.say(runId, "remark", "m1");
	for (let index = 0; index < 500; index++) bridge.runs.say(runId, `${index} ü\n`, "m2");
	bridge.runs.say(runId, "half \ud83d", "m2");
	bridge.runs.say(runId, "\ude42 whole", "m2");
	bridge.runs.say(runId, " \n", "m3");
	const path = `/runs/${runId}/output`;
	const early = await exchange(bridge, { path });
	expect([early.status, errorCode(early)]).toEqual([409, "RUN_NOT_TERMINAL"]);
	bridge.runs.end(runId);
	const answer = await exchange(bridge, { path });
	expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
	expect(answer.body.toString()).toBe(`${Array.from({ length: 500 }, (_, index) => `${index} ü\n`).join("")}half 🙂 whole`);
	expect(Number(answer.headers["content-length"])).toBe(answer.body.length);
	expect((await exchange(bridge, { path, method: "HEAD" })).headers["content-length"]).toBe(String(answer.body.length));
});

it("reads an answer from the log only if the snapshot does not hold all of it", async () => {
	await using bridge = await startBridge();
	const reads: number[] = [];
	const { readTexts } = bridge.runs.log;
	Object.assign(bridge.runs.log, {
		readTexts: (...given: Parameters<typeof readTexts>) => {
			reads.push(given[1]);
			return readTexts(...given);
		},
	});
	const answerOf = async (turnId: string, pieces: readonly string[]) => {
		const runId = await bridge.run(turnId);
		for (const piece of pieces) bridge.runs.say(runId, piece, "answer");
		bridge.runs.end(runId);
		const { body } = await exchange(bridge, { path: `/runs/${runId}/output` });
		return body.toString();
	};
	expect(await answerOf("short", ["half \ud83d", "\ude42 whole"])).toBe("half 🙂 whole");
	expect(reads).toEqual([]);
	const long = "x".repeat(limits.outputBytes);
	expect(await answerOf("long", [long, "half \ud83d", "\ude42 whole"])).toBe(`${long}half 🙂 whole`);
	expect(reads).not.toEqual([]);
});

it("serves nothing for a run that said nothing, and 404 for none", async () => {
	await using bridge = await startBridge();
	const runId = await bridge.run();
	bridge.runs.end(runId);
	const answer = await exchange(bridge, { path: `/runs/${runId}/output` });
	expect([answer.status, answer.body.length]).toEqual([200, 0]);
	for (const name of ["nope", "..", "%00", "x".repeat(500)]) {
		expect(errorCode(await exchange(bridge, { path: `/runs/${name}/output` })), name).toBe("NOT_FOUND");
	}
});

it("tells its numbers", async () => {
	await using bridge = await startBridge();
	const runId = await bridge.run();
	const reader = await stream(bridge, "xworkmate.tasks.subscribe", { runId });
	await reader.next();
	const { body } = await exchange(bridge, { path: "/metrics" });
	const text = body.toString();
	expect(text).toContain('xworkmate_runs{status="running"} 1');
	expect(text).toContain('xworkmate_runs{status="queued"} 2');
	expect(text).toContain('xworkmate_runs{status="completed"} 4');
	expect(text).toContain("xworkmate_commits_total 3");
	expect(text).toContain("xworkmate_streams_open 1");
	reader.drop();
	const after = (await exchange(bridge, { path: "/metrics" })).body.toString();
	expect(after).toContain('xworkmate_http_request_seconds_count{route="/metrics",status="200"} 1');
});

it("describes every method of the contract", async () => {
	await using bridge = await startBridge();
	const document = json<{ openrpc: string; methods: { name: string }[] }>(await exchange(bridge, { path: "/openrpc.json" }));
	expect(document.methods.map(({ name }) => name).sort()).toEqual(Object.keys(methods).sort());
});

it("refuses to change what can only be read", async () => {
	await using bridge = await startBridge();
	for (const path of ["/healthz", "/metrics", "/openrpc.json", "/artifacts/r/x", "/runs/r/output"]) {
		const answer = await exchange(bridge, { path, method: "POST", body: "{}" });
		expect([answer.status, answer.headers.allow, errorCode(answer)], path).toEqual([405, "GET, HEAD", "METHOD_NOT_ALLOWED"]);
	}
});
