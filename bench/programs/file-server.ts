import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { tellBench } from "./parent.ts";

/** Serves the files of one folder as plain node:http does: streams each file into the response and checks nothing. */
const root = process.argv[2] ?? "";

async function send(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const path = join(root, decodeURI(request.url ?? "/"));
	response.writeHead(200, { "content-type": "application/octet-stream", "content-length": (await stat(path)).size });
	await pipeline(createReadStream(path), response);
}

const server = createServer((request, response) => {
	send(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : new Error(String(error))));
});

server.listen(0, "127.0.0.1", () => tellBench({ port: (server.address() as AddressInfo).port }));
