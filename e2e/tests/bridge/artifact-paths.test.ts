import { afterAll, beforeAll, expect, it } from "vitest";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { waitFor } from "../../support/bridge/scripts.ts";
import { settle, settleAgain } from "../../support/bridge/settle.ts";
import type { BareClient } from "../../support/wire/bare-client.ts";
import { expectServedBytes, sha256Of } from "../../support/wire/served-artifacts.ts";
import { turn } from "../../support/wire/turn.ts";
import { RpcResponse, TaskSnapshot as Snapshot, type TaskSnapshot } from "../../support/wire/wire.ts";

const text = "Grüße\n";
const program = `
await tools.files.write({path: 'report.md', text: 'Gr\\u00fc\\u00dfe\\n'});
await tools.files.write({path: 'a b/100% \\u5bb6?.txt', text: 'odd name'});
return 'done'`;
let bridge: BridgeProcess;
let client: BareClient;
let run: TaskSnapshot;

beforeAll(async () => {
	bridge = await startBridge();
	client = bridge.client();
	run = (await settle(client, turn({ prompt: program, providerId: "script" }))).snapshot;
	expect(run).toMatchObject({ status: "completed", artifacts: { count: 2 } });
});
afterAll(() => bridge[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string> = {}) => client.http({ path: `/artifacts/${run.runId}/${path}`, headers });

it("[T4-20] [T4-95] returns the standard fields, and no other name for them", async () => {
	const { manifest } = await expectServedBytes(client, run);
	expect(Object.keys(run.artifacts).sort()).toEqual(["count", "digest", "items", "totalBytes"]);
	expect(manifest.items).toEqual(run.artifacts.items);
	const fields = ["artifactRef", "mediaType", "modifiedAt", "relativePath", "sha256", "sizeBytes"];
	for (const item of run.artifacts.items) expect(Object.keys(item).sort()).toEqual(fields);
	const others = Object.keys(run).filter((key) => /artifact|file|deliver|export|output/i.test(key));
	expect(others.sort()).toEqual(["artifactScope", "artifacts", "output", "rejectedArtifacts"]);
});

it("serves one file under its reference, whole and in part", async () => {
	for (const item of run.artifacts.items) {
		const whole = await client.http({ path: item.artifactRef });
		expect(sha256Of(whole.body)).toBe(item.sha256);
		expect(whole.headers).toMatchObject({
			"x-content-type-options": "nosniff",
			"content-length": String(item.sizeBytes),
			"accept-ranges": "bytes",
		});
		expect(whole.headers.etag).toContain(item.sha256);
		expect(whole.headers["content-disposition"]).toMatch(/^attachment/);
	}
	const part = await get("report.md", { range: "bytes=2-4" });
	expect([part.status, part.headers["content-range"]]).toEqual([206, `bytes 2-4/${Buffer.byteLength(text)}`]);
	expect(part.body).toEqual(Buffer.from(text).subarray(2, 5));
	const beyond = await get("report.md", { range: "bytes=999-" });
	expect(beyond.status).toBe(416);
	const { etag } = (await get("report.md")).headers;
	expect((await get("report.md", { "if-none-match": String(etag) })).status).toBe(304);
});

it.each([
	["a climb", "../../token"],
	["an escaped climb", "%2e%2e/%2e%2e/token"],
	["a half-escaped climb", ".%2e/token"],
	["an escaped slash", "..%2f..%2ftoken"],
	["a climb escaped twice", "%252e%252e/token"],
	["an absolute path", "/etc/passwd"],
	["an escaped absolute path", "%2fetc%2fpasswd"],
	["NUL", "report.md%00.txt"],
	["a backslash", "..%5c..%5ctoken"],
	["the manifest's folder", ".xworkmate/manifest.json"],
	["the manifest's folder in capitals", ".XWORKMATE/manifest.json"],
	["kept versions", ".versions/report.md"],
	["a dot", "./report.md"],
	["an empty segment", "a%20b//x"],
	["a broken escape", "%zz"],
	["an overlong UTF-8 slash", "%c0%af"],
	["a name nobody wrote", "other.md"],
	["a folder", "a%20b"],
	["a very long name", "x".repeat(5000)],
])("refuses %s", async (_, path) => {
	const answer = await get(path);
	const { error } = RpcResponse.parse(JSON.parse(answer.body.toString("utf8")));
	expect(["403 FORBIDDEN_PATH", "404 NOT_FOUND"]).toContain(`${answer.status} ${error?.data.code}`);
	expect(error?.data.fix).toBeTruthy();
	expect(answer.body.includes(bridge.token)).toBe(false);
	expect(answer.body.includes("root:")).toBe(false);
});

it("refuses a raw NUL and a raw climb past the run", async () => {
	for (const path of [`/artifacts/${run.runId}/../../../bridge/token`, "/artifacts/../bridge/token", "/artifacts/%2e%2e/token"]) {
		const answer = await client.http({ path });
		expect([403, 404]).toContain(answer.status);
		expect(answer.body.includes(bridge.token)).toBe(false);
	}
	expect((await client.http({ path: "/artifacts/nobody" })).status).toBe(404);
	expect((await client.http({ path: "/artifacts/nobody/report.md" })).status).toBe(404);
});

it("[T4-64] has nothing final to serve before the end", async () => {
	const handle = Snapshot.parse(await client.rpc("session.start", turn({ prompt: waitFor(600), providerId: "script" })));
	for (const path of [`/artifacts/${handle.runId}`, `/artifacts/${handle.runId}/report.md`]) {
		const answer = await client.http({ path });
		const { error } = RpcResponse.parse(JSON.parse(answer.body.toString("utf8")));
		expect([answer.status, error?.data.code, error?.data.retryable]).toEqual([409, "RUN_NOT_TERMINAL", true]);
	}
	await settleAgain(client, handle.runId);
	expect((await client.http({ path: `/artifacts/${handle.runId}` })).status).toBe(200);
});

it("[T4-33] gives a run its own files alone", async () => {
	const next = await settle(client, turn({ prompt: "return 'nothing new'", providerId: "script", threadId: run.threadId }), {
		method: "session.message",
	});
	expect(next.snapshot).toMatchObject({ status: "completed", artifacts: { count: 0, items: [] } });
	expect((await client.http({ path: `/artifacts/${next.snapshot.runId}/report.md` })).status).toBe(404);
});
