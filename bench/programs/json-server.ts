import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tellBench } from "./parent.ts";

/**
 * A minimal JSON-RPC server on node:http: reads the body, parses it, answers as JSON. It answers with the result that it was started with,
 * so that both servers write the same bytes.
 */
const result: unknown = JSON.parse(process.argv[2] ?? "null");

const server = createServer((request, response) => {
	const chunks: Buffer[] = [];
	request.on("data", (chunk: Buffer) => chunks.push(chunk));
	request.on("end", () => {
		const { id }: { id: unknown } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
		const body = JSON.stringify({ jsonrpc: "2.0", id, result });
		response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": Buffer.byteLength(body) });
		response.end(body);
	});
});

server.listen(0, "127.0.0.1", () => tellBench({ port: (server.address() as AddressInfo).port }));
