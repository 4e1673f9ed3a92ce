import { connect } from "node:net";
import { expect, it } from "vitest";
import { startBridge, TOKEN } from "../bridge-under-test.ts";

it("a long call learns that its caller has closed the connection", async () => {
	const begun = Promise.withResolvers<AbortSignal>();
	await using bridge = await startBridge({
		verify: (_params, whenGone) => {
			const gone = whenGone?.();
			if (gone !== undefined) begun.resolve(gone);
			return new Promise((_resolve, reject) => gone?.addEventListener("abort", () => reject(new Error("gone"))));
		},
	});
	const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "xworkmate.receipts.verify", params: {} });
	const head = [
		"POST /acp/rpc HTTP/1.1",
		`host: 127.0.0.1:${bridge.port}`,
		`authorization: Bearer ${TOKEN}`,
		"accept: application/json",
		"content-type: application/json",
		`content-length: ${body.length}`,
	];
	const socket = connect(bridge.port, "127.0.0.1");
	socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
	const gone = await begun.promise;
	expect(gone.aborted).toBe(false);
	const aborted = new Promise((resolve) => gone.addEventListener("abort", resolve));
	socket.destroy();
	await aborted;
});
