import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { readText, sendRequest } from "../../src/http/index.ts";

/** A server of node:http, and how many connections it has accepted. */
async function serve(answer: RequestListener) {
	const server = createServer(answer).listen(0, "127.0.0.1");
	await once(server, "listening");
	const made = { connections: 0 };
	server.on("connection", () => made.connections++);
	return {
		made,
		url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			await new Promise((closed) => server.close(closed));
		},
	};
}

it("sends method, headers and body, and reads the answer", async () => {
	await using server = await serve(async (request, response) => {
		const parts = await Array.fromAsync(request.setEncoding("utf8"));
		response.writeHead(418, { "x-heard": `${request.method} ${request.headers["x-asked"]}` }).end(parts.join(""));
	});
	const response = await sendRequest(server.url, { method: "POST", headers: { "x-asked": "now" }, body: "größer" });
	expect([response.statusCode, response.headers["x-heard"], await readText(response, 100)]).toEqual([418, "POST now", "größer"]);
});

it("follows no redirect", async () => {
	await using server = await serve((request, response) => {
		if (request.url === "/there") response.end("another host");
		else response.writeHead(307, { location: "/there" }).end();
	});
	const response = await sendRequest(server.url, { headers: { authorization: "Bearer secret" } });
	expect(response.statusCode).toBe(307);
	response.destroy();
});

it("uses one connection for calls, if asked to, and one each otherwise", async () => {
	await using server = await serve((_, response) => void response.end("ok"));
	for (const keepAlive of [true, true, true] as const) await readText(await sendRequest(server.url, { keepAlive }), 100);
	expect(server.made.connections).toBe(1);
	for (let call = 0; call < 2; call++) await readText(await sendRequest(server.url), 100);
	expect(server.made.connections).toBe(3);
});

it("rejects with the reason for which it is aborted before an answer", async () => {
	await using server = await serve(() => undefined);
	const late = new Error("too late");
	await expect(sendRequest(server.url, { signal: AbortSignal.abort(late) })).rejects.toBe(late);
	const aborting = new AbortController();
	const asked = sendRequest(server.url, { signal: aborting.signal });
	aborting.abort(late);
	await expect(asked).rejects.toBe(late);
});

it("breaks off the answer that is being read, and closes the connection", async () => {
	let closed: Promise<unknown> | undefined;
	await using server = await serve((request, response) => {
		closed = once(request.socket, "close");
		response.write("first");
	});
	const aborting = new AbortController();
	const response = await sendRequest(server.url, { signal: aborting.signal, keepAlive: true });
	const read = readText(response, 100);
	aborting.abort();
	await expect(read).rejects.toThrow("aborted");
	await closed;
});

it("an answer that is cut is an error", async () => {
	await using server = await serve((request, response) => {
		response.writeHead(200, { "content-length": "100" });
		response.write("first", () => request.socket.destroy());
	});
	await expect(readText(await sendRequest(server.url), 1000)).rejects.toMatchObject({ code: "ECONNRESET" });
});

it("reads no more than it is allowed to", async () => {
	await using server = await serve((_, response) => void response.end("x".repeat(101)));
	await expect(readText(await sendRequest(server.url), 100)).rejects.toThrow("more than 100 bytes");
});

it("leaves no listener on a signal that outlives the call", async () => {
	await using server = await serve((_, response) => void response.end("ok"));
	const { signal } = new AbortController();
	let listening = 0;
	const add = signal.addEventListener.bind(signal);
	const remove = signal.removeEventListener.bind(signal);
	signal.addEventListener = (...given: Parameters<typeof add>) => {
		listening++;
		add(...given);
	};
	signal.removeEventListener = (...given: Parameters<typeof remove>) => {
		listening--;
		remove(...given);
	};
	for (let call = 0; call < 3; call++) await readText(await sendRequest(server.url, { signal, keepAlive: true }), 100);
	expect(listening).toBe(0);
});
