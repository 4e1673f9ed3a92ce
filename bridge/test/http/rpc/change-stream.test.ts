import { type Change, ChangeNotice, ChangePage } from "@xworkmate/contracts";
import { expect, it, vi } from "vitest";
import { startBridge, submitParams } from "../bridge-under-test.ts";
import { errorCode, json, post, rpcBody, type StreamReader, stream } from "../wire-client.ts";

const subscribe = "xworkmate.changes.subscribe";
const again: Change = { kind: "resync" };
const many = (count: number): readonly Change[] => Array.from({ length: count }, () => again);

/** The cursors of the next changes. */
async function cursors(reader: StreamReader, count: number): Promise<readonly (string | undefined)[]> {
	const read: (string | undefined)[] = [];
	while (read.length < count) {
		const event = await reader.next();
		if (event?.data.method === "xworkmate.change") {
			expect(ChangeNotice.parse(event.data.params).cursor).toBe(event.id);
			read.push(event.id);
		}
	}
	return read;
}

it("shows what has changed and what changes, each under its cursor, with heartbeats that have none", async () => {
	await using bridge = await startBridge({ heartbeatMs: 20 });
	bridge.runs.change(...many(130));
	const reader = await stream(bridge, subscribe, {});
	expect(reader.response.headers["content-type"]).toBe("text/event-stream");
	expect(await cursors(reader, 130)).toEqual(Array.from({ length: 130 }, (_, index) => `0-${index + 1}`));
	await vi.waitFor(() => expect(bridge.runs.changeListeners.size).toBe(1));
	bridge.runs.change(again);
	expect(await cursors(reader, 1)).toEqual(["0-131"]);
	for (let event = await reader.next(); event?.data.method !== "session.heartbeat"; event = await reader.next());
	reader.drop();
	await vi.waitFor(() => expect(bridge.runs.changeListeners.size).toBe(0));
});

it("tells connected readers that the tools changed, under the last cursor and not in the log", async () => {
	await using bridge = await startBridge();
	bridge.runs.change(again);
	const reader = await stream(bridge, subscribe, {});
	expect(await cursors(reader, 1)).toEqual(["0-1"]);
	await vi.waitFor(() => expect(bridge.runs.changeListeners.size).toBe(1));
	bridge.runs.changeTools();
	let told = await reader.next();
	while (told?.data.method === "session.heartbeat") told = await reader.next();
	expect(told).toMatchObject({ id: "0-1", data: { method: "xworkmate.change", params: { cursor: "0-1", change: { kind: "tools" } } } });
	bridge.runs.change(again);
	expect(await cursors(reader, 1)).toEqual(["0-2"]);
	reader.drop();
});

it("continues after a cursor, and after the last event of an earlier stream before that", async () => {
	await using bridge = await startBridge();
	bridge.runs.change(...many(5));
	const after = await stream(bridge, subscribe, { after: "0-3" });
	expect(await cursors(after, 2)).toEqual(["0-4", "0-5"]);
	const resumed = await stream(bridge, subscribe, { after: "0-1" }, { "last-event-id": "0-4" });
	expect(await cursors(resumed, 1)).toEqual(["0-5"]);
	for (const reader of [after, resumed]) reader.drop();
});

it("is answered page by page where no stream is accepted", async () => {
	await using bridge = await startBridge();
	bridge.runs.change(...many(201));
	const first = ChangePage.parse(json(await post(bridge, rpcBody(subscribe))).result);
	expect([first.items.length, first.cursor]).toEqual([200, "0-200"]);
	const second = ChangePage.parse(json(await post(bridge, rpcBody(subscribe, { after: first.cursor }))).result);
	expect([second.items.length, second.cursor]).toEqual([1, "0-201"]);
	const third = ChangePage.parse(json(await post(bridge, rpcBody(subscribe, { after: second.cursor }))).result);
	expect(third).toEqual({ items: [], cursor: "0-201" });
});

it("refuses what is not a cursor before there is a stream, and what cannot be read", async () => {
	await using bridge = await startBridge();
	const headers = { accept: "text/event-stream" };
	expect(errorCode(await post(bridge, rpcBody(subscribe, { after: "12" }), headers))).toBe("INVALID_PARAMS");
	expect(errorCode(await post(bridge, rpcBody(subscribe), { ...headers, "last-event-id": "12" }))).toBe("INVALID_PARAMS");
	bridge.runs.failWith = new Error("the store is gone");
	expect(errorCode(await post(bridge, rpcBody(subscribe), headers))).toBe("INTERNAL");
});

it("ends the connection without an answer when the store cannot be read any more", async () => {
	await using bridge = await startBridge();
	const reader = await stream(bridge, subscribe, {});
	await vi.waitFor(() => expect(bridge.runs.changeListeners.size).toBe(1));
	bridge.runs.failWith = new Error("the store is gone");
	bridge.runs.change(again);
	await expect(reader.rest()).rejects.toThrow();
	expect(bridge.runs.changeListeners.size).toBe(0);
});

it("submits by one path, whether a stream or one answer is wanted", async () => {
	await using bridge = await startBridge();
	const params = submitParams({ origin: { kind: "operator", id: "nightly" } });
	const answered = json(await post(bridge, rpcBody("session.start", params))).result;
	const reader = await stream(bridge, "session.start", params);
	const first = await reader.next();
	expect(first?.data.params).toMatchObject({ runId: answered?.runId });
	expect(bridge.runs.submits).toMatchObject([{ origin: { kind: "operator" } }, { origin: { kind: "operator" } }]);
	reader.drop();
});
