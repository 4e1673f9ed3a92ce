import { createServer, type Server as HttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";

export interface Loopback extends AsyncDisposable {
	readonly url: string;
	/** Bytes that clients sent, as text. */
	readonly seen: string[];
}

/** A server on 127.0.0.1 that handles each connection with `treat`. */
export async function tcpServer(treat: (socket: Socket, seen: string[]) => void): Promise<Loopback> {
	const seen: string[] = [];
	return listen(
		createTcpServer((socket) => {
			socket.on("error", () => socket.destroy());
			treat(socket, seen);
		}),
		seen,
	);
}

export async function httpServer(answer: RequestListener): Promise<Loopback> {
	const seen: string[] = [];
	return listen(
		createServer((request, response) => {
			seen.push(`${request.method} ${request.url}`);
			answer(request, response);
		}),
		seen,
	);
}

/** An address that nothing listens on. */
export async function deadUrl(): Promise<string> {
	await using server = await tcpServer(() => undefined);
	return server.url;
}

async function listen(server: Server | HttpServer, seen: string[]): Promise<Loopback> {
	const sockets = new Set<Socket>();
	server.on("connection", (socket: Socket) => sockets.add(socket));
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	server.once("error", reject);
	server.listen(0, "127.0.0.1", resolve);
	await promise;
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		seen,
		async [Symbol.asyncDispose]() {
			for (const socket of sockets) socket.destroy();
			await new Promise((done) => server.close(done));
		},
	};
}
