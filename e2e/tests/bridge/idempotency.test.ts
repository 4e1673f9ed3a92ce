import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { waitFor, writeReport } from "../../support/bridge/scripts.ts";
import { settle, settleAgain, timeless } from "../../support/bridge/settle.ts";
import type { BareClient } from "../../support/wire/bare-client.ts";
import { refused } from "../../support/wire/refused.ts";
import { type TurnParams, turn } from "../../support/wire/turn.ts";
import { TaskSnapshot } from "../../support/wire/wire.ts";

let bridge: BridgeProcess;
let client: BareClient;

beforeAll(async () => {
	bridge = await startBridge();
	client = bridge.client();
});
afterAll(() => bridge[Symbol.asyncDispose]());

const submit = async (method: string, params: TurnParams) => TaskSnapshot.parse(await client.rpc(method, params));

async function firstRunId(method: string, params: TurnParams): Promise<string> {
	const stream = await client.stream(method, params);
	const { runId } = await stream.until("the first update", () => true);
	stream.close();
	return runId;
}

it("makes one run of twenty submits at once", async () => {
	const params = turn({ prompt: writeReport, providerId: "script" });
	const runIds = await Promise.all(
		Array.from({ length: 20 }, async (_, index) =>
			index % 2 === 0 ? (await submit("session.start", params)).runId : await firstRunId("session.start", params),
		),
	);
	expect(new Set(runIds).size).toBe(1);
	const run = await settleAgain(client, runIds[0] ?? "");
	expect(run.snapshot.status).toBe("completed");
	expect(await client.rpc("xworkmate.tasks.list", { threadId: params.threadId })).toMatchObject({ items: [{ runId: runIds[0] }] });
});

it("makes one run of start and message with the same turnId, and gives its end to every repeat", async () => {
	const first = await settle(client, turn({ prompt: "return 'first'", providerId: "script" }));
	const params = turn({ prompt: waitFor(100), providerId: "script", threadId: first.snapshot.threadId });
	const handles = await Promise.all(
		Array.from({ length: 20 }, (_, index) => submit(index % 2 === 0 ? "session.message" : "session.start", params)),
	);
	expect(new Set(handles.map(({ runId }) => runId)).size).toBe(1);
	const run = await settle(client, params, { method: "session.message" });
	expect(run.snapshot.runId).toBe(handles[0]?.runId);
	for (const method of ["session.start", "session.message"]) expect(timeless(await submit(method, params))).toBe(timeless(run.snapshot));
});

const bytes = Buffer.from("attached");
const attachment = {
	name: "note.txt",
	mediaType: "text/plain",
	sizeBytes: bytes.length,
	sha256: createHash("sha256").update(bytes).digest("hex"),
	base64: bytes.toString("base64"),
};

it("refuses the same turnId with any other input", async () => {
	const params = turn({ prompt: "return 1", providerId: "script", more: { workspaceContext: "context" } });
	const { snapshot } = await settle(client, params);
	const others: Record<string, unknown>[] = [
		{ prompt: "return 2" },
		{ workspaceContext: "another context" },
		{ workspaceContext: undefined },
		{ routing: { executionTarget: "agent", providerId: "script", model: "m" } },
		{ attachments: [attachment] },
		{ metadata: turn({ prompt: "-", providerId: "script", required: ["*.pdf"] }).metadata },
	];
	for (const other of others) {
		const refusal = await refused(client.rpc("session.start", { ...params, ...other }));
		expect(refusal.data, JSON.stringify(other)).toMatchObject({ code: "TURN_CONFLICT", retryable: false });
		expect(refusal.code).toBe(-32009);
	}
	expect(timeless(await client.snapshot({ runId: snapshot.runId }))).toBe(timeless(snapshot));
	expect(await client.rpc("xworkmate.tasks.list", { threadId: params.threadId })).toHaveProperty("items.length", 1);
});

it("keeps the key over a restart, and per thread", async () => {
	const params = turn({ prompt: writeReport, providerId: "script" });
	const { snapshot } = await settle(client, params);
	await bridge.restart();
	client = bridge.client();
	expect(timeless(await submit("session.start", params))).toBe(timeless(snapshot));
	const elsewhere = await settle(client, turn({ prompt: writeReport, providerId: "script", turnId: params.turnId }));
	expect(elsewhere.snapshot.runId).not.toBe(snapshot.runId);
});

it("keeps one session per thread", async () => {
	const { snapshot } = await settle(client, turn({ prompt: "return 1", providerId: "script" }));
	const stolen = turn({ prompt: "return 2", providerId: "script", more: { sessionId: snapshot.sessionId } });
	expect((await refused(client.rpc("session.start", stolen))).data.code).toBe("SESSION_CONFLICT");
	const renamed = turn({ prompt: "return 2", providerId: "script", threadId: snapshot.threadId, more: { sessionId: "another" } });
	expect((await refused(client.rpc("session.start", renamed))).data.code).toBe("SESSION_CONFLICT");
	const unknown = turn({ prompt: "return 2", providerId: "script" });
	expect((await refused(client.rpc("session.message", unknown))).data.code).toBe("SESSION_NOT_FOUND");
});
