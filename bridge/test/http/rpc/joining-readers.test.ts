import { expect, it } from "vitest";
import { Core, ended, say } from "../../runs/core-fixture.ts";
import { startBridge } from "../bridge-under-test.ts";
import { errorCode, post, rpcBody, type StreamReader, stream } from "../wire-client.ts";

const subscribe = "xworkmate.tasks.subscribe";
const PIECES = 4;

it("shows readers that join a live run at any time and any place every later event once, and all of them the same end", async () => {
	const gates = Array.from({ length: PIECES + 1 }, () => Promise.withResolvers<void>());
	await using core = await Core.open(async (_turn, sink) => {
		for (const [index, gate] of gates.entries()) {
			await gate.promise;
			if (index < PIECES) await say(sink, `piece ${index}. `);
		}
		return ended;
	});
	await using bridge = await startBridge({ core: core.service });
	const runId = await core.submit("t1");
	const readers: { readonly afterSeq: number; readonly reader: StreamReader }[] = [];
	for (const [index, gate] of gates.entries()) {
		const { seq: lastSeq } = await core.until(runId, ({ event }) =>
			index === 0 ? event.type === "started" : event.type === "said" && JSON.stringify(event).includes(`piece ${index - 1}`),
		);
		for (let afterSeq = 0; afterSeq <= lastSeq; afterSeq++) {
			readers.push({ afterSeq, reader: await stream(bridge, subscribe, { runId, afterSeq }) });
		}
		gate.resolve();
	}
	const { lastSeq } = await core.settled(runId);
	const ends = await Promise.all(
		readers.map(async ({ afterSeq, reader }) => {
			const events = await reader.rest();
			const seqs = Array.from({ length: lastSeq - afterSeq }, (_, index) => afterSeq + 1 + index);
			expect(events.map(({ id }) => Number(id))).toEqual([...seqs, lastSeq]);
			return JSON.stringify({ ...events.at(-1)?.data.result, serverTime: undefined });
		}),
	);
	expect(new Set(ends).size).toBe(1);
	expect(ends[0]).toContain("piece 0. piece 1. piece 2. piece 3. ");
});

it("refuses a place that a live run has not reached", async () => {
	const stop = Promise.withResolvers<void>();
	await using core = await Core.open(async (_turn, sink) => {
		await stop.promise;
		await say(sink, "done");
		return ended;
	});
	await using bridge = await startBridge({ core: core.service });
	const runId = await core.submit("t1");
	const answer = await post(bridge, rpcBody(subscribe, { runId, afterSeq: 99 }), { accept: "text/event-stream" });
	expect(errorCode(answer)).toBe("SEQ_AHEAD");
	stop.resolve();
	await core.settled(runId);
});
