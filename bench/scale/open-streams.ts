import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { rpcRequest } from "../request-load.ts";

/** How many connections are opened at once: more would overflow the server's queue of new ones. */
const AT_ONCE = 100;

/** Streams that are open, each on a bare socket that discards the bytes. */
export class OpenStreams implements Disposable {
	readonly #sockets: Socket[] = [];

	/** Opens streams until there are `count`; resolves when each has answered. */
	async open(count: number, port: number, token: string, call: object): Promise<void> {
		const request = Buffer.from(
			rpcRequest(port, token, call).toString("utf8").replace("accept: application/json", "accept: application/json, text/event-stream"),
		);
		while (this.#sockets.length < count) {
			const few = Math.min(AT_ONCE, count - this.#sockets.length);
			this.#sockets.push(...(await Promise.all(Array.from({ length: few }, () => begin(port, request)))));
		}
	}

	[Symbol.dispose](): void {
		for (const socket of this.#sockets) socket.destroy();
	}
}

async function begin(port: number, request: Buffer): Promise<Socket> {
	const socket = connect(port, "127.0.0.1");
	await once(socket, "connect");
	socket.write(request);
	const [first] = (await once(socket, "data")) as [Buffer];
	if (!first.subarray(0, 13).equals(Buffer.from("HTTP/1.1 200 "))) throw new Error(first.toString("latin1").slice(0, 500));
	socket.resume();
	return socket;
}
