import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tellBench } from "./parent.ts";

/** A minimal event stream server on node:http: begins an answer for each request and never ends it. */
const server = createServer((request, response) => {
	request.resume();
	response.writeHead(200, { "content-type": "text/event-stream" });
	response.write(": open\n\n");
});

server.listen(0, "127.0.0.1", () => tellBench({ port: (server.address() as AddressInfo).port }));
