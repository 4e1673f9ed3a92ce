import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { expect, it } from "vitest";
import { BridgeClient } from "../../src/bridge-client/index.ts";

const result = { ok: true, runs: 1, receipts: 100, independence: "self_attested", problems: [] } as const;

/** A bridge that answers each verification with these events. */
async function bridgeOf(answer: (send: (message: object) => void, id: unknown, response: ServerResponse) => void) {
	const server = createServer(async (request, response) => {
		const { id } = Object(await json(request));
		response.writeHead(200, { "content-type": "text/event-stream" });
		const send = (message: object) => void response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
		answer(send, id, response);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	return {
		client: new BridgeClient(async () => ({ url: new URL(`http://127.0.0.1:${port}`), token: "token" })),
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

const progress = (receipts: number) => ({ method: "xworkmate.receipts.progress", params: { receipts, of: 100 } });

it("a verification is followed to its result, past what this client does not know", async () => {
	await using bridge = await bridgeOf((send, id, response) => {
		for (const message of [progress(48), { method: "session.heartbeat", params: {} }, { method: "later", params: {} }]) send(message);
		send({ id, result });
		response.end();
	});
	const items = await Array.fromAsync(bridge.client.verify({}, new AbortController().signal));
	expect(items).toEqual([
		{ type: "progress", receipts: 48, of: 100 },
		{ type: "ended", result },
	]);
});

it("a verification that breaks off has no result, and one that nobody follows any more is not asked for", async () => {
	await using broken = await bridgeOf((send, _id, response) => {
		send(progress(1));
		response.end();
	});
	const all = Array.fromAsync(broken.client.verify({}, new AbortController().signal));
	await expect(all).rejects.toMatchObject({ code: "ACP_HTTP_CONNECTION_CLOSED" });
	const { promise: closed, resolve } = Promise.withResolvers<void>();
	await using endless = await bridgeOf((send, _id, response) => {
		response.on("close", resolve);
		send(progress(1));
	});
	for await (const item of endless.client.verify({}, new AbortController().signal)) {
		expect(item).toEqual({ type: "progress", receipts: 1, of: 100 });
		break;
	}
	await closed;
});
