import { request } from "node:http";
import { text } from "node:stream/consumers";
import type { BridgeProcess } from "../e2e/support/bridge/bridge-process.ts";
import { createSseParser } from "../e2e/support/wire/sse-parser.ts";
import { turn } from "../e2e/support/wire/turn.ts";

/**
 * Milliseconds from the POST of a program to the end of its stream. The stream is parsed after the measurement, so that parsing ten
 * thousand updates does not count.
 * @throws Error for a program that did not complete
 */
export async function scriptRunMs(bridge: BridgeProcess, program: string): Promise<number> {
	const params = turn({ prompt: program, providerId: "script" });
	const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session.start", params });
	const start = performance.now();
	const answer = await post(bridge, body);
	const ms = performance.now() - start;
	const end = createSseParser()(answer).at(-1)?.data ?? "";
	if (!end.includes('"status":"completed"')) throw new Error(`a program ended with ${end.slice(0, 1000)}`);
	return ms;
}

function post(bridge: BridgeProcess, body: string): Promise<string> {
	const { promise, resolve, reject } = Promise.withResolvers<string>();
	const headers = {
		authorization: `Bearer ${bridge.token}`,
		accept: "application/json, text/event-stream",
		"content-type": "application/json",
		"content-length": Buffer.byteLength(body),
	};
	request({ host: "127.0.0.1", port: bridge.port, path: "/acp/rpc", method: "POST", agent: false, headers }, (response) =>
		resolve(text(response)),
	)
		.once("error", reject)
		.end(body);
	return promise;
}
