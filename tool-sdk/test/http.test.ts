import { describe, expect, it } from "vitest";
import { createHttp, type HttpRequest, OutcomeUnknown, ToolFailed } from "../src/index.ts";
import { deadUrl, httpServer, tcpServer } from "./loopback.ts";

const SECRET = "s3cr3t/+ value";
const secrets: Readonly<Record<string, string>> = { "service.token": SECRET };
const http = createHttp({
	secret: (name) => {
		const value = secrets[name];
		if (value === undefined) throw new ToolFailed(`The secret ${name} is not set.`);
		return value;
	},
});
const bearer = { authorization: { secret: "service.token", prefix: "Bearer " } };

async function failure(request: HttpRequest, client = http): Promise<Error> {
	const answer = await client.request(request).catch((error: unknown) => error);
	if (!(answer instanceof Error)) throw new Error(`it answered ${JSON.stringify(answer)}`);
	return answer;
}

const post = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({ url, method: "POST", json: { a: 1 }, ...more });

describe("what is known of a request that has no answer", () => {
	it("failed, if the connection was refused", async () => {
		const error = await failure(post(await deadUrl()));
		expect(error).toBeInstanceOf(ToolFailed);
		expect(error.message).toMatch(/ECONNREFUSED.*Nothing was sent\.$/);
	});

	it("failed, if the name has no address", async () => {
		const error = await failure(post("http://name.invalid/"));
		expect(error).toBeInstanceOf(ToolFailed);
		expect(error.message).toContain("Nothing was sent.");
	});

	it("failed, if TLS could not be set up: no byte of the request has left", async () => {
		await using server = await tcpServer((socket, seen) => {
			socket.on("data", (bytes) => {
				seen.push(bytes.toString("latin1"));
				socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
			});
		});
		const error = await failure(post(server.url.replace("http:", "https:"), { headers: bearer }));
		expect(error).toBeInstanceOf(ToolFailed);
		expect(error.message).toContain("Nothing was sent.");
		expect(server.seen.join("")).not.toMatch(/POST|Bearer/);
	});

	it("is unknown, if the connection is reset before the server has read: the client cannot tell", async () => {
		await using server = await tcpServer((socket) => socket.once("readable", () => socket.resetAndDestroy()));
		const error = await failure(post(server.url));
		expect(error).toBeInstanceOf(OutcomeUnknown);
		expect(error.message).toContain("It may have acted.");
	});

	it("is unknown, if the connection is lost after the server has read", async () => {
		await using server = await tcpServer((socket) => socket.once("data", () => socket.resetAndDestroy()));
		expect(await failure(post(server.url))).toBeInstanceOf(OutcomeUnknown);
		expect(await failure({ url: server.url, method: "DELETE" })).toBeInstanceOf(OutcomeUnknown);
	});

	it("is unknown, if the connection is lost in the middle of the answer", async () => {
		await using server = await tcpServer((socket) =>
			socket.once("data", () => socket.write("HTTP/1.1 201 Created\r\ncontent-length: 50\r\n\r\n{", () => socket.resetAndDestroy())),
		);
		expect(await failure(post(server.url))).toBeInstanceOf(OutcomeUnknown);
	});

	it("is unknown after a time-out of a request that acts, and failed of one that does not", async () => {
		await using server = await tcpServer(() => undefined);
		const late = await failure(post(server.url, { timeoutMs: 50 }));
		expect(late).toBeInstanceOf(OutcomeUnknown);
		expect(late.message).toContain("there was no answer in time");
		for (const request of [{ method: "GET" }, { method: "REPORT" }, { method: "POST", acts: false }]) {
			const error = await failure({ url: server.url, timeoutMs: 50, ...request });
			expect(error).toBeInstanceOf(ToolFailed);
			expect(error.message).toContain("Nothing was changed.");
		}
	});

	it("is unknown, if it is stopped after it was sent; nothing is sent if it was stopped before", async () => {
		const { promise: read, resolve } = Promise.withResolvers<void>();
		await using server = await tcpServer((socket) => socket.once("data", () => resolve()));
		const stop = new AbortController();
		const client = createHttp({ secret: () => "", signal: stop.signal });
		const running = failure(post(server.url), client);
		await read;
		stop.abort();
		expect(await running).toBeInstanceOf(OutcomeUnknown);
		expect((await failure(post(server.url), client)).message).toContain("Nothing was sent.");
	});

	it("is unknown, if the answer is larger than allowed, or of no HTTP", async () => {
		await using server = await httpServer((_, response) => response.end("x".repeat(2_000)));
		const large = await failure(post(server.url, { maxBytes: 1_000 }));
		expect(large).toBeInstanceOf(OutcomeUnknown);
		expect(large.message).toContain("larger than 1000 bytes");
		await using garbage = await tcpServer((socket) => socket.once("data", () => socket.end("\u0000\u0001garbage\r\n\r\n")));
		expect(await failure(post(garbage.url))).toBeInstanceOf(OutcomeUnknown);
	});

	it("stops reading an endless answer", async () => {
		await using server = await httpServer((_, response) => {
			const more = () => {
				while (!response.destroyed && response.write("x".repeat(65_536)));
			};
			response.on("drain", more);
			more();
		});
		const error = await failure({ url: server.url });
		expect(error).toBeInstanceOf(ToolFailed);
		expect(error.message).toContain("larger than 10000000 bytes");
	});

	it("never repeats a request", async () => {
		await using server = await httpServer((request) => request.socket.resetAndDestroy());
		await failure(post(server.url));
		await failure({ url: server.url });
		expect(server.seen).toEqual(["POST /", "GET /"]);
	});
});

describe("an answer", () => {
	it("has status, headers, text and JSON, whatever the status", async () => {
		await using server = await httpServer((_, response) => response.writeHead(422, { "x-a": "b" }).end('{"message":"no"}'));
		const answer = await http.request(post(server.url));
		expect(answer).toMatchObject({ status: 422, headers: { "x-a": "b" }, text: '{"message":"no"}' });
		expect(answer.json()).toEqual({ message: "no" });
	});

	it("of 400 or more is an error if only success counts: failed for a refusal, unknown if the server broke while it acted", async () => {
		await using server = await httpServer((request, response) => response.writeHead(Number(request.url?.slice(1))).end("why\n not"));
		const refusal = await failure(post(`${server.url}/409`, { okOnly: true }));
		expect(refusal).toBeInstanceOf(ToolFailed);
		expect(refusal.message).toMatch(/POST .*\/409 answered 409: why not/);
		expect(await failure(post(`${server.url}/500`, { okOnly: true }))).toBeInstanceOf(OutcomeUnknown);
		expect(await failure({ url: `${server.url}/500`, okOnly: true })).toBeInstanceOf(ToolFailed);
		expect((await http.request(post(`${server.url}/204`, { okOnly: true }))).status).toBe(204);
	});

	it("that should be JSON and is not leaves a write in doubt, unless it was refused", async () => {
		await using server = await httpServer((request, response) => response.writeHead(Number(request.url?.slice(1))).end("<html>"));
		const parsed = async (request: HttpRequest) => (await http.request(request)).json();
		await expect(parsed(post(`${server.url}/201`))).rejects.toBeInstanceOf(OutcomeUnknown);
		await expect(parsed(post(`${server.url}/400`))).rejects.toBeInstanceOf(ToolFailed);
		await expect(parsed({ url: `${server.url}/200` })).rejects.toBeInstanceOf(ToolFailed);
	});
});

describe("a request", () => {
	it("has its query, headers, body and idempotency key", async () => {
		await using server = await httpServer(async (request, response) => {
			const parts: Buffer[] = [];
			for await (const part of request) parts.push(part);
			response.end(JSON.stringify({ url: request.url, headers: request.headers, body: Buffer.concat(parts).toString() }));
		});
		const sent = await http.at(`${server.url}/api/`, { accept: "application/json" }).request({
			url: "things?a=1",
			method: "put",
			query: { b: "x y", c: undefined, d: 2 },
			json: { name: "ä" },
			idempotencyKey: "key-1",
		});
		expect(sent.json()).toMatchObject({
			url: "/api/things?a=1&b=x+y&d=2",
			headers: { accept: "application/json", "content-type": "application/json", "content-length": "13", "idempotency-key": "key-1" },
			body: '{"name":"ä"}',
		});
		const text = await http.request({ url: server.url, method: "PUT", body: "BEGIN", headers: { "content-type": "text/calendar" } });
		expect(text.json()).toMatchObject({ body: "BEGIN", headers: { "content-type": "text/calendar" } });
	});

	it.each(["file:///etc/passwd", "data:,x", "http://user:password@127.0.0.1/", "/relative", "http://"])(
		"is refused for %s",
		async (url) => {
			expect(await failure({ url })).toBeInstanceOf(ToolFailed);
		},
	);

	it("is refused with a header that would add another one", async () => {
		await using server = await httpServer((_, response) => response.end());
		const error = await failure(post(server.url, { headers: { "x-a": "b\r\nx-c: d" } }));
		expect(error).toBeInstanceOf(ToolFailed);
		expect(server.seen).toEqual([]);
	});
});

describe("a secret", () => {
	it("is sent in its header, as a bearer token or with a user", async () => {
		await using server = await httpServer((request, response) => response.end(request.headers.authorization));
		expect((await http.request({ url: server.url, headers: bearer })).text).toBe(`Bearer ${SECRET}`);
		const basic = await http.request({ url: server.url, headers: { authorization: { secret: "service.token", user: "ada" } } });
		expect(Buffer.from(basic.text.replace("Basic ", ""), "base64").toString()).toBe(`ada:${SECRET}`);
	});

	it("is in no error, also if the server repeats it, and in no URL", async () => {
		await using server = await httpServer((request, response) =>
			response.writeHead(401).end(`${"x".repeat(280)} ${request.headers.authorization}`),
		);
		const repeated = await failure({ url: server.url, headers: bearer, okOnly: true });
		expect(repeated.message).not.toContain("s3cr3t");
		const placed = await failure({ url: `${server.url}/${encodeURIComponent(SECRET)}`, headers: bearer });
		expect(placed.message).toContain("a secret is in the URL");
		expect(placed.message).not.toContain("s3cr3t");
		expect(server.seen).toEqual(["GET /"]);
	});

	it("that is not set fails the request before anything is sent", async () => {
		await using server = await httpServer((_, response) => response.end());
		const error = await failure({ url: server.url, headers: { authorization: { secret: "other" } } });
		expect(error.message).toBe("The secret other is not set.");
		expect(server.seen).toEqual([]);
	});

	it("goes to its own server only: no absolute URL and no redirect takes it elsewhere", async () => {
		await using other = await httpServer((_, response) => response.end("taken"));
		await using server = await httpServer((request, response) => {
			if (request.url === "/here") response.writeHead(307, { location: "/there" }).end();
			else if (request.url === "/there") response.end("there");
			else response.writeHead(302, { location: other.url }).end();
		});
		const client = http.at(server.url, bearer);
		expect((await client.request({ url: "/here" })).text).toBe("there");
		expect(await failure({ url: "/away" }, client)).toBeInstanceOf(ToolFailed);
		expect(await failure({ url: other.url }, client)).toBeInstanceOf(ToolFailed);
		expect(await failure({ url: `${server.url}/away`, headers: { Authorization: "Bearer written out" } })).toBeInstanceOf(ToolFailed);
		expect(other.seen).toEqual([]);
		expect((await http.request({ url: `${server.url}/away` })).text).toBe("taken");
	});
});

describe("a redirect", () => {
	it("of a request that acts is not followed", async () => {
		await using server = await httpServer((_, response) => response.writeHead(307, { location: "/next" }).end());
		expect((await http.request(post(server.url))).status).toBe(307);
		expect(await failure(post(server.url, { okOnly: true }))).toBeInstanceOf(ToolFailed);
		expect(server.seen).toEqual(["POST /", "POST /"]);
	});

	it("is followed five times at most", async () => {
		await using server = await httpServer((_, response) => response.writeHead(302, { location: "/again" }).end());
		expect((await failure({ url: server.url })).message).toContain("redirected more than 5 times");
		expect(server.seen).toHaveLength(6);
	});
});
