import { createServer } from "node:http";
import { expect, it } from "vitest";
import { cutHows, cuttingProxy } from "../support/machine/cutting-proxy.ts";
import { listenOnLoopback } from "../support/machine/listen-on-loopback.ts";
import { BareClient } from "../support/wire/bare-client.ts";
import { foldUpdates } from "../support/wire/fold-updates.ts";
import { createSseParser } from "../support/wire/sse-parser.ts";
import type { RunUpdate } from "../support/wire/wire.ts";

// The judges are judged first: a proxy that does not cut, or a fold that accepts a gap, would prove nothing.

const sample = (seq: number): RunUpdate => ({
	sessionId: "t",
	threadId: "t",
	turnId: "u",
	runId: "r",
	artifactScope: "tasks/t/r",
	seq,
	at: "2026-01-02T03:04:05.006Z",
	status: "running",
	update: { kind: "message_delta", messageId: "m", text: `${seq} ` },
});

const event = (seq: number) => `id: ${seq}\ndata: ${JSON.stringify({ jsonrpc: "2.0", method: "session.update", params: sample(seq) })}\n\n`;

async function eventServer(): Promise<AsyncDisposable & { readonly port: number }> {
	const server = createServer((_, response) => {
		response.writeHead(200, { "content-type": "text/event-stream" });
		for (let seq = 1; seq <= 4; seq++) response.write(event(seq));
		response.end();
	});
	const port = await listenOnLoopback(server);
	return {
		port,
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			await new Promise((done) => server.close(done));
		},
	};
}

it("parses events however their bytes are cut", () => {
	const text = `: comment\n${event(1)}data: a\ndata: b\n\n`;
	for (let at = 0; at <= text.length; at++) {
		const parse = createSseParser();
		const events = [...parse(text.slice(0, at)), ...parse(text.slice(at))];
		expect(events.map(({ id }) => id)).toEqual(["1", undefined]);
		expect(events[1]?.data).toBe("a\nb");
	}
});

it("refuses a gap, a double and another run's update in the fold", () => {
	expect(foldUpdates([sample(1), sample(2)])).toMatchObject({ lastSeq: 2, outputText: "1 2 " });
	expect(() => foldUpdates([sample(1), sample(3)])).toThrow("seq 3 where 2");
	expect(() => foldUpdates([sample(1), sample(1)])).toThrow("seq 1 where 2");
	expect(() => foldUpdates([sample(1), { ...sample(2), runId: "other" }])).toThrow("runId changed");
});

it.each(cutHows)("cuts behind the chosen event: %s", async (how) => {
	await using server = await eventServer();
	await using proxy = await cuttingProxy(server.port);
	const client = new BareClient({ url: `http://127.0.0.1:${server.port}`, via: proxy.port });
	proxy.mode = { kind: "cut", afterEvents: 2, how };
	const stream = await client.stream("x", {}, { idleMs: 200 });
	expect((await stream.ended).kind).toBe("dropped");
	// Data in flight may still arrive when only the bridge's side knows of the end.
	if (how === "half-close-up") expect(stream.updates.length).toBeGreaterThanOrEqual(2);
	else expect(stream.updates.length).toBe(2);
	expect(proxy.cuts).toBe(1);
	proxy.mode = { kind: "pass" };
	const whole = await client.stream("x", {});
	await whole.ended;
	expect(whole.updates.length).toBe(4);
});

it("never answers in a black hole, and resets", async () => {
	await using server = await eventServer();
	await using proxy = await cuttingProxy(server.port);
	const client = new BareClient({ url: `http://127.0.0.1:${server.port}`, via: proxy.port });
	proxy.mode = { kind: "blackhole" };
	await expect(client.stream("x", {}, { answerMs: 200 })).rejects.toThrow("no response within 200 ms");
	proxy.mode = { kind: "reset" };
	await expect(client.stream("x", {})).rejects.toThrow(/ECONNRESET|socket hang up/);
});
