import { connect } from "node:net";
import { limits, RunId, SessionUpdate } from "@xworkmate/contracts";
import { expect, it, vi } from "vitest";
import { startBridge, submitParams, TOKEN } from "../bridge-under-test.ts";
import { errorCode, post, respond, rpcBody, StreamReader, stream } from "../wire-client.ts";

const subscribe = "xworkmate.tasks.subscribe";
const deep = { timeout: 5_000, interval: 5 };

it("[T4-17] streams every event as one update, then the response under the last seq, then closes", async () => {
	await using bridge = await startBridge();
	bridge.runs.onSubmitted = (runId) =>
		setImmediate(() => {
			bridge.runs.commit(runId, { type: "started", deadlineAt: "2026-01-01T00:00:00.000Z" });
			bridge.runs.say(runId, "two\nlines");
			bridge.runs.end(runId);
		});
	const reader = await stream(bridge, "session.start", submitParams());
	expect(reader.response.statusCode).toBe(200);
	expect(reader.response.headers["content-type"]).toBe("text/event-stream");
	const events = await reader.rest();
	expect(events.map(({ id }) => id)).toEqual(["1", "2", "3", "4", "4"]);
	const updates = events.slice(0, -1).map(({ data }) => SessionUpdate.parse(data.params));
	expect(updates.map(({ seq, update }) => [seq, update.kind])).toEqual([
		[1, "status"],
		[2, "status"],
		[3, "message_delta"],
		[4, "status"],
	]);
	expect(events.at(-1)?.data).toMatchObject({ jsonrpc: "2.0", id: "request", result: { status: "completed", lastSeq: 4 } });
});

it("answers an error before the first event as JSON with 200", async () => {
	await using bridge = await startBridge();
	const headers = { accept: "text/event-stream" };
	expect(errorCode(await post(bridge, rpcBody("session.start", submitParams({ prompt: " " })), headers))).toBe("INVALID_PARAMS");
	const unknown = await post(bridge, rpcBody(subscribe, { runId: "nope" }), headers);
	expect([unknown.status, errorCode(unknown)]).toEqual([200, "NOT_FOUND"]);
	const runId = await bridge.run();
	expect(errorCode(await post(bridge, rpcBody(subscribe, { runId, afterSeq: 2 }), headers))).toBe("SEQ_AHEAD");
	expect(errorCode(await post(bridge, rpcBody(subscribe, { runId }), { ...headers, "last-event-id": "x" }))).toBe("INVALID_PARAMS");
});

it("replays a finished run and ends, from any seq, Last-Event-ID before afterSeq", async () => {
	await using bridge = await startBridge();
	const runId = await bridge.run();
	for (let index = 0; index < 200; index++) bridge.runs.say(runId, `piece ${index}`);
	bridge.runs.end(runId);
	const all = await (await stream(bridge, subscribe, { runId })).rest();
	expect(all.slice(0, -1).map(({ data }) => data.params?.seq)).toEqual(Array.from({ length: 202 }, (_, index) => index + 1));
	const resumed = await (await stream(bridge, subscribe, { runId, afterSeq: 3 }, { "last-event-id": "200" })).rest();
	expect(resumed.map(({ id }) => id)).toEqual(["201", "202", "202"]);
	const atEnd = await (await stream(bridge, subscribe, { runId, afterSeq: 202 })).rest();
	expect(atEnd.map(({ data }) => data.result?.status)).toEqual(["completed"]);
});

it.each([
	{ versions: ["1.0"], inChunks: false },
	{ versions: ["1.1", "1.1"], inChunks: true },
])("is whole for requests of HTTP $versions that share a connection", async ({ versions, inChunks }) => {
	await using bridge = await startBridge();
	const runId = await bridge.run();
	const body = JSON.stringify(rpcBody(subscribe, { runId }));
	const headers = [`authorization: Bearer ${TOKEN}`, "accept: text/event-stream", "content-type: application/json"];
	const rest = ["host: localhost", ...headers, `content-length: ${body.length}`, "", body].join("\r\n");
	const socket = connect(bridge.port, "127.0.0.1");
	socket.setEncoding("utf8");
	for (const version of versions) socket.write(`POST /acp/rpc HTTP/${version}\r\n${rest}`);
	let shown = "";
	for await (const chunk of socket) {
		const isFirst = shown === "";
		shown += chunk;
		if (isFirst) {
			for (let index = 0; index < 3; index++) bridge.runs.say(runId, `piece ${index}`);
			bridge.runs.end(runId);
		}
		if (shown.split('"result":').length > versions.length) break;
	}
	const seqs = [...shown.matchAll(/"seq":(\d+)/g)].map(([, seq]) => Number(seq));
	expect(seqs).toEqual(versions.flatMap(() => [1, 2, 3, 4, 5]));
	expect(/^[0-9a-f]+\r$/m.test(shown)).toBe(inChunks);
});

it("reads a long log in pages, and lets others run between two of them", async () => {
	await using bridge = await startBridge();
	const runId = await bridge.run();
	const piece = "x".repeat(10_000);
	for (let index = 0; index < 40; index++) bridge.runs.say(runId, piece);
	bridge.runs.end(runId);
	let turns = 0;
	let waiting = setImmediate(function turn() {
		turns++;
		waiting = setImmediate(turn);
	});
	const { readTexts } = bridge.runs.log;
	const pages: { readonly turn: number; readonly events: number }[] = [];
	Object.assign(bridge.runs.log, {
		readTexts: async (...given: Parameters<typeof readTexts>) => {
			const page = await readTexts(...given);
			pages.push({ turn: turns, events: page.length });
			return page;
		},
	});
	const events = await (await stream(bridge, subscribe, { runId })).rest();
	clearImmediate(waiting);
	expect(events.map(({ id }) => Number(id))).toEqual([...Array.from({ length: 42 }, (_, index) => index + 1), 42]);
	expect(pages.length).toBeGreaterThan(5);
	expect(pages.reduce((sum, page) => sum + page.events, 0)).toBe(42);
	expect(new Set(pages.map(({ turn }) => turn)).size).toBe(pages.length);
});

it("[T4-18] a dropped stream cancels nothing, and the resumed one has no gap and no double", async () => {
	await using bridge = await startBridge();
	const reader = await stream(bridge, "session.start", submitParams());
	await reader.next();
	const runId = RunId.parse("run1");
	bridge.runs.say(runId, "before");
	const seen = await reader.next();
	reader.drop();
	await vi.waitFor(() => expect(bridge.runs.listeners(runId)).toBe(0), deep);
	bridge.runs.say(runId, "while away");
	const resumed = await stream(bridge, subscribe, { runId }, { "last-event-id": seen?.id ?? "" });
	expect((await resumed.next())?.data.params).toMatchObject({ seq: 3, update: { text: "while away" } });
	bridge.runs.say(runId, "after");
	bridge.runs.end(runId);
	expect((await resumed.rest()).map(({ id }) => id)).toEqual(["4", "5", "5"]);
	expect(bridge.runs.cancelled).toEqual([]);
});

it("shows many readers the same run, each from its own place", async () => {
	await using bridge = await startBridge();
	const runId = await bridge.run();
	bridge.runs.say(runId, "a");
	const readers = await Promise.all([0, 1, 2].map((afterSeq) => stream(bridge, subscribe, { runId, afterSeq })));
	await vi.waitFor(() => expect(bridge.runs.listeners(runId)).toBe(3), deep);
	bridge.runs.say(runId, "b");
	bridge.runs.end(runId);
	const ids = await Promise.all(readers.map(async (reader) => (await reader.rest()).map(({ id }) => id).join()));
	expect(ids).toEqual(["1,2,3,4,4", "2,3,4,4", "3,4,4"]);
});

it("beats as an event without an id while nothing happens", async () => {
	await using bridge = await startBridge({ heartbeatMs: 20 });
	const runId = await bridge.run();
	const reader = await stream(bridge, subscribe, { runId, afterSeq: 1 });
	for (let beat = 0; beat < 3; beat++) {
		const event = await reader.next();
		expect(event).not.toHaveProperty("id");
		expect(event?.data).toMatchObject({ jsonrpc: "2.0", method: "session.heartbeat", params: { at: expect.stringMatching(/Z$/) } });
	}
	reader.drop();
});

it("closes a reader that is more than 1 MiB behind, serves the others, and lets it resume", async () => {
	await using bridge = await startBridge();
	const runId = await bridge.run();
	const slow = await respond(bridge, {
		method: "POST",
		headers: { accept: "text/event-stream" },
		body: JSON.stringify(rpcBody(subscribe, { runId })),
	});
	slow.pause();
	const other = await stream(bridge, subscribe, { runId });
	const rest = other.rest();
	await vi.waitFor(() => expect(bridge.runs.listeners(runId)).toBe(2), deep);
	const piece = "x".repeat(64 * 1024);
	let said = 0;
	// The kernel's buffers take some MiB before the bridge has to hold any.
	while (bridge.runs.listeners(runId) === 2 && said < 1000) {
		bridge.runs.say(runId, piece);
		said++;
		await new Promise((resolve) => setImmediate(resolve));
	}
	expect(bridge.runs.listeners(runId)).toBe(1);
	bridge.runs.end(runId);
	expect((await rest).at(-1)?.data.result?.status).toBe("completed");

	const seen: string[] = [];
	const reader = new StreamReader(slow);
	await expect(
		(async () => {
			for (let event = await reader.next(); event !== undefined; event = await reader.next()) seen.push(event.id ?? "");
		})(),
	).rejects.toThrow();
	const resumed = await (await stream(bridge, subscribe, { runId }, { "last-event-id": seen.at(-1) ?? "0" })).rest();
	const ids = [...seen, ...resumed.map(({ id }) => id)].slice(0, -1).map(Number);
	expect(ids).toEqual(Array.from({ length: said + 2 }, (_, index) => index + 1));
	expect(said * piece.length).toBeGreaterThan(limits.readerLagBytes);
});

it("cuts the stream on a failure of its own", async () => {
	await using bridge = await startBridge();
	const runId = await bridge.run();
	const reader = await stream(bridge, subscribe, { runId });
	await reader.next();
	await vi.waitFor(() => expect(bridge.runs.listeners(runId)).toBe(1), deep);
	bridge.runs.breakSnapshots(new Error("disk"));
	bridge.runs.end(runId);
	await expect(reader.rest()).rejects.toThrow();
});
