import { createServer, type ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { Exchange } from "../../../../src/providers/assistant/models/exchange/exchange.ts";
import { never, secret, useFakeModel } from "./model-rig.ts";

const fake = useFakeModel();

describe("an exchange", () => {
	it("lets one request through", async () => {
		using exchange = new Exchange({ secret, signal: never() });
		const url = `${fake().url}/v1/models`;
		await (await exchange.fetch(url)).text();
		await expect(exchange.fetch(url)).rejects.toMatchObject({ kind: "broken" });
		expect(await fake().requests()).toHaveLength(1);
	});

	it("sends no credential where there is none", async () => {
		using exchange = new Exchange({ secret: "", signal: never() });
		await exchange.fetch(`${fake().url}/v1/models`, {
			headers: { authorization: `Bearer ${secret}`, "x-api-key": secret, accept: "text/plain" },
		});
		const { headers } = (await fake().requests()).at(-1) ?? {};
		expect(headers).toMatchObject({ accept: "text/plain" });
		expect(JSON.stringify(headers)).not.toContain(secret);
	});

	it("takes only a line of its own for the end of a stream, however the pieces divide the lines", async () => {
		const event = "data: 1\n\n";
		// A piece that ends four characters after the mark: what is kept of it begins with the mark.
		expect(await sawDone(`${event}data: {"said": "it ends with data: [DONE]. So`, ' it does"}\n\n')).toBe(false);
		expect(await sawDone(`${event}data: {"said": "data: [DO`, 'NE]"}\n\n')).toBe(false);
		expect(await sawDone(`${event}data: [DO`, "NE]\n\n")).toBe(true);
		expect(await sawDone(`data: [DONE]\n\n`, "")).toBe(true);
	});
});

/** Whether a stream was seen to be complete that arrives in two pieces, the first with at least one whole event. */
async function sawDone(first: string, second: string): Promise<boolean> {
	let answer: ServerResponse | undefined;
	const server = createServer((_request, response) => {
		answer = response;
		response.writeHead(200, { "content-type": "text/event-stream" });
		response.write(first);
	});
	await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
	const address = server.address();
	if (address === null || typeof address === "string") throw new Error("the server has no port");
	using exchange = new Exchange({ secret, signal: never() });
	const reader = (await exchange.fetch(`http://127.0.0.1:${address.port}/`)).body?.getReader();
	await reader?.read();
	answer?.end(second);
	while ((await reader?.read())?.done === false);
	server.close();
	return exchange.sawDone;
}
