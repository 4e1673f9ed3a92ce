import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { RunId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { ArtifactDownload } from "../../src/bridge-client/index.ts";

const runId = RunId.parse("run-1");
const { signal } = new AbortController();

async function serve(answer: Parameters<typeof createServer>[1]): Promise<AsyncDisposable & { readonly source: ArtifactDownload }> {
	const server = createServer(answer ?? (() => undefined));
	const { promise, resolve } = Promise.withResolvers<void>();
	server.listen(0, "127.0.0.1", resolve);
	await promise;
	const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	return {
		source: new ArtifactDownload(async () => ({ url, token: "t" }), 1_000),
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
		},
	};
}

it("a silent stream is given up; a reader that is slow itself is not", async () => {
	await using server = await serve((_request, response) => {
		response.writeHead(200);
		for (let piece = 0; piece < 64; piece++) response.write(Buffer.alloc(64 * 1024));
	});
	const stream = await server.source.openTar(runId, signal);
	let read = 0;
	const reading = (async () => {
		for await (const piece of stream) {
			// Longer than the bound: the bytes wait here, not there.
			if (read === 0) await pause(1_800);
			read += piece.length;
		}
	})();
	await expect(reading).rejects.toMatchObject({ code: "ACP_HTTP_CONNECTION_CLOSED" });
	expect(read).toBe(64 * 64 * 1024);
});

it("an HTTP error is named by its status and the bridge's own code", async () => {
	await using server = await serve((_request, response) => {
		const error = { code: -32004, message: "The run's bytes were removed.", data: { code: "RUN_EXPIRED", retryable: false } };
		response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id: null, error }));
	});
	const opening = server.source.openFile(runId, "ä b/c.txt", signal);
	await expect(opening).rejects.toMatchObject({ code: "ACP_HTTP_404", bridgeCode: "RUN_EXPIRED", final: true });
});

it("a bridge that never answers is given up", async () => {
	await using server = await serve(() => undefined);
	await expect(server.source.openTar(runId, signal)).rejects.toMatchObject({ code: "ACP_HTTP_CONNECTION_CLOSED" });
});
