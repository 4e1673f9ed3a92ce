import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, it } from "vitest";
import { boundIdle } from "../../src/http/reply/hijack-reply.ts";

it("leaves a connection that served a download its own limit while it is idle", async () => {
	const server = createServer({ keepAliveTimeout: 50 }, (_request, response) => {
		boundIdle(response);
		response.end("a file");
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	const client = connect(port, "127.0.0.1");
	try {
		client.write("GET / HTTP/1.1\r\nHost: here\r\n\r\n");
		client.resume();
		// The server ends the connection, because no further request arrives.
		await once(client, "end");
		expect(client.bytesRead).toBeGreaterThan(0);
	} finally {
		client.destroy();
		server.close();
	}
}, 8_000);
