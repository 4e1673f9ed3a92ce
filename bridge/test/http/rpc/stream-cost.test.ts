import { once } from "node:events";
import { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { eventFrames } from "../../../src/http/rpc/event-frames.ts";
import type { TurnSink } from "../../../src/ports/agents/provider.ts";
import type { RunService } from "../../../src/ports/runs/run-service.ts";
import { updateAddress } from "../../../src/runs/domain/session-update.ts";
import { Core, ended, type Play, say } from "../../runs/core-fixture.ts";
import { type BridgeUnderTest, startBridge, submitParams } from "../bridge-under-test.ts";
import { respond, rpcBody } from "../wire-client.ts";

const PIECES = 20;

/** Pieces that are never merged, each with a text of its own. */
const piece = (index: number): string => `piece<${index}>`;
async function sayPieces(sink: TurnSink): Promise<void> {
	for (let index = 0; index < PIECES; index++) await sink.emit({ kind: "thought_delta", messageId: `t${index}`, text: piece(index) });
	await say(sink, "done");
}

const thinks: Play = async (_turn, sink) => {
	await sayPieces(sink);
	return ended;
};

/** A core whose stored events and snapshots are counted as they are read. */
function countingReads(core: Core): { readonly service: RunService; reads(): number } {
	let count = 0;
	const { service } = core;
	const { log } = service;
	const counted = <T>(value: T): T => {
		count++;
		return value;
	};
	return {
		reads: () => count,
		service: {
			...service,
			snapshot: (runId) => counted(service.snapshot(runId)),
			resolve: (ref) => counted(service.resolve(ref)),
			log: {
				read: (runId, afterSeq, limit) => counted(log.read(runId, afterSeq, limit)),
				readTexts: (runId, afterSeq, size) => counted(log.readTexts(runId, afterSeq, size)),
				onCommitted: (runId, listener) => log.onCommitted(runId, listener),
				onCommittedAny: (listener) => log.onCommittedAny(listener),
			},
		},
	};
}

/** The whole stream as it comes, not parsed. */
async function streamText(bridge: BridgeUnderTest, method: string, params: unknown): Promise<string> {
	const headers = { accept: "text/event-stream" };
	return text(await respond(bridge, { method: "POST", headers, body: JSON.stringify(rpcBody(method, params)) }));
}

/** How many calls of a function took or gave a text with each piece. */
function countPieces<T extends object>(owner: T, method: keyof T & string): readonly number[] {
	const counts: number[] = Array.from({ length: PIECES }, () => 0);
	const original: unknown = owner[method];
	if (typeof original !== "function") throw new Error(`${method} is not a function`);
	Reflect.set(owner, method, (...given: unknown[]) => {
		const value: unknown = Reflect.apply(original, owner, given);
		const json = typeof given[0] === "string" ? given[0] : value;
		for (const index of counts.keys())
			if (typeof json === "string" && json.includes(piece(index))) counts[index] = (counts[index] ?? 0) + 1;
		return value;
	});
	onTestFinished(() => void Reflect.set(owner, method, original));
	return counts;
}

describe("the stream of a live turn", () => {
	it("reads nothing from the store", async () => {
		await using core = await Core.open(thinks);
		const { service, reads } = countingReads(core);
		await using bridge = await startBridge({ core: service });
		const shown = await streamText(bridge, "session.start", submitParams());
		expect(shown).toContain(piece(PIECES - 1));
		expect(shown).toContain('"status":"completed"');
		expect(reads()).toBe(0);
	});

	it("ends with the snapshot as it was stored", async () => {
		await using core = await Core.open(thinks);
		await using bridge = await startBridge({ core: core.service });
		const shown = await streamText(bridge, "session.start", submitParams());
		const [, result] = /"result":(.*)\}\n\n$/.exec(shown) ?? [];
		const { serverTime: _then, ...sent } = JSON.parse(result ?? "");
		const { serverTime: _now, ...stored } = await core.service.snapshot(sent.runId);
		expect(sent).toEqual(stored);
	});

	it("writes each event as text once, for its size, its row and its frames", async () => {
		await using core = await Core.open(thinks);
		await using bridge = await startBridge({ core: core.service });
		const stringified = countPieces(JSON, "stringify");
		const shown = await streamText(bridge, "session.start", submitParams());
		expect(shown).toContain(piece(PIECES - 1));
		expect(new Set(stringified)).toEqual(new Set([1]));
	});

	it("encodes each event once for all of its readers", async () => {
		const seen = Promise.withResolvers<void>();
		await using core = await Core.open(async (turn, sink, signal) => {
			await seen.promise;
			return thinks(turn, sink, signal);
		});
		await using bridge = await startBridge({ core: core.service });
		const runId = await core.submit("t1");
		const body = JSON.stringify(rpcBody("xworkmate.tasks.subscribe", { runId }));
		const readers = await Promise.all(
			[1, 2, 3].map(() => respond(bridge, { method: "POST", headers: { accept: "text/event-stream" }, body })),
		);
		await Promise.all(readers.map((reader) => once(reader, "readable")));
		const encoded = countPieces(Buffer, "from");
		seen.resolve();
		for (const shown of await Promise.all(readers.map((reader) => text(reader)))) expect(shown).toContain(piece(PIECES - 1));
		expect(new Set(encoded)).toEqual(new Set([1]));
	});

	it("is one write for each commit, the head with the first and the response with the last", async () => {
		await using core = await Core.open(thinks);
		await using bridge = await startBridge({ core: core.service });
		let commits = 0;
		core.service.log.onCommittedAny(() => {
			commits++;
		});
		const writes = countWrites(bridge.port);
		expect(await streamText(bridge, "session.start", submitParams())).toContain('"status":"completed"');
		expect(writes()).toBeLessThanOrEqual(commits);
	});

	it("does not hold what was asked while it is open", async () => {
		setFlagsFromString("--expose-gc");
		const collect: unknown = runInNewContext("gc");
		const stop = Promise.withResolvers<void>();
		await using core = await Core.open(async (turn, sink, signal) => {
			await stop.promise;
			return thinks(turn, sink, signal);
		});
		await using bridge = await startBridge({
			core: {
				...core.service,
				submit: (method, params) => {
					asked.push(new WeakRef(params));
					return core.service.submit(method, params);
				},
			},
		});
		const asked: WeakRef<object>[] = [];
		const original = JSON.parse;
		vi.spyOn(JSON, "parse").mockImplementation((json, reviver) => {
			const value = original(json, reviver);
			if (String(json).includes("the very prompt")) asked.push(new WeakRef(value), new WeakRef(value.params));
			return value;
		});
		const response = await respond(bridge, {
			method: "POST",
			headers: { accept: "text/event-stream" },
			body: JSON.stringify(rpcBody("session.start", submitParams({ prompt: "the very prompt" }))),
		});
		await once(response, "readable");
		vi.restoreAllMocks();
		expect(asked).toHaveLength(3);
		await vi.waitFor(() => {
			if (typeof collect === "function") collect();
			expect(asked.map((held) => held.deref())).toEqual([undefined, undefined, undefined]);
		});
		stop.resolve();
		expect(await text(response)).toContain('"status":"completed"');
	});
});

it("a replay parses none of what an agent said", async () => {
	await using core = await Core.open(thinks);
	await using bridge = await startBridge({ core: core.service });
	const runId = await core.submit("t1");
	await core.settled(runId);
	const parsed = countPieces(JSON, "parse");
	const shown = await streamText(bridge, "xworkmate.tasks.subscribe", { runId });
	expect(shown).toContain(piece(PIECES - 1));
	expect(new Set(parsed)).toEqual(new Set([0]));
});

it("a long replay is framed by the store, a hundred events in one step, byte for byte, and lets others run between two steps", async () => {
	const pieces = 1_000;
	await using core = await Core.open(async (_turn, sink) => {
		for (let index = 0; index < pieces; index++)
			await sink.emit({ kind: "thought_delta", messageId: `t${index}`, text: `${piece(index)} \u20ac \ud800` });
		return ended;
	});
	const runId = await core.submit("t1");
	await core.settled(runId);
	let turns = 0;
	let waiting = setImmediate(function turn() {
		turns++;
		waiting = setImmediate(turn);
	});
	onTestFinished(() => clearImmediate(waiting));
	const steps: { readonly turn: number; readonly events: number }[] = [];
	let texts = 0;
	const { service } = core;
	const { log } = service;
	await using bridge = await startBridge({
		core: {
			...service,
			readFrames: async (runId, afterSeq, form) => {
				const frames = await service.readFrames(runId, afterSeq, form);
				if (frames !== undefined) steps.push({ turn: turns, events: frames.lastSeq - afterSeq });
				return frames;
			},
			log: {
				read: (runId, afterSeq, limit) => log.read(runId, afterSeq, limit),
				readTexts: async (runId, afterSeq, size) => {
					const page = await log.readTexts(runId, afterSeq, size);
					texts += page.length;
					return page;
				},
				onCommitted: (runId, listener) => log.onCommitted(runId, listener),
				onCommittedAny: (listener) => log.onCommittedAny(listener),
			},
		},
	});
	const shown = await streamText(bridge, "xworkmate.tasks.subscribe", { runId });
	const [sent] = shown.split(/^id: \d+\ndata: \{"jsonrpc":"2.0","id"/m);
	const whole = eventFrames(updateAddress(await service.resolve({ runId })), await log.readTexts(runId, 0, Number.POSITIVE_INFINITY));
	expect(sent).toBe(whole.payload.toString());
	// The first page and the end are read as texts.
	expect(texts).toBeLessThan(pieces / 2);
	expect(steps.length).toBeLessThanOrEqual(9);
	expect(new Set(steps.map(({ turn }) => turn)).size).toBe(steps.length);
});

/** Counts what the server's sockets hand to the system. */
function countWrites(port: number): () => number {
	let count = 0;
	for (const method of ["_write", "_writev"] as const) {
		const original: unknown = Socket.prototype[method];
		vi.spyOn(Socket.prototype, method).mockImplementation(function (this: Socket, ...given: unknown[]) {
			if (this.localPort === port) count++;
			if (typeof original === "function") Reflect.apply(original, this, given);
		});
	}
	onTestFinished(() => void vi.restoreAllMocks());
	return () => count;
}
