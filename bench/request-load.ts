import { once } from "node:events";
import { connect, type Socket } from "node:net";

const HEAD_END = Buffer.from("\r\n\r\n");

export interface RequestLoad {
	readonly port: number;
	/** Complete HTTP/1.1 requests as bytes, sent in turn. */
	readonly requests: readonly Buffer[];
	/** How many requests are sent in total. */
	readonly count: number;
	/** Kept-alive connections, each with one open request. */
	readonly connections: number;
}

/** The bytes of a `POST /acp/rpc` with a JSON body. */
export function rpcRequest(port: number, token: string, body: unknown): Buffer {
	const json = JSON.stringify(body);
	const head = [
		"POST /acp/rpc HTTP/1.1",
		`host: 127.0.0.1:${port}`,
		`authorization: Bearer ${token}`,
		"accept: application/json",
		"content-type: application/json",
		`content-length: ${Buffer.byteLength(json)}`,
	];
	return Buffer.from(`${head.join("\r\n")}\r\n\r\n${json}`);
}

/**
 * Sends requests repeatedly, on bare sockets, so that the client costs less than the server and the server is never idle. @throws Error
 * for an answer other than 200
 */
export async function sendRequests({ port, requests, count, connections }: RequestLoad): Promise<void> {
	let left = count;
	const next = () => (left-- > 0 ? requests[left % requests.length] : undefined);
	await Promise.all(
		Array.from({ length: connections }, async () => {
			const socket = connect(port, "127.0.0.1");
			try {
				await once(socket, "connect");
				socket.setNoDelay(true);
				await exchange(socket, next);
			} finally {
				socket.destroy();
			}
		}),
	);
}

function exchange(socket: Socket, take: () => Buffer | undefined): Promise<void> {
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	const next = () => {
		const request = take();
		if (request === undefined) resolve();
		else socket.write(request);
	};
	let held: Buffer = Buffer.alloc(0);
	socket.on("data", (chunk) => {
		held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
		const length = answerLength(held);
		if (length === undefined || held.length < length) return;
		if (!held.subarray(0, 13).equals(OK)) return reject(new Error(held.toString("latin1").slice(0, 500)));
		held = held.subarray(length);
		next();
	});
	socket.once("error", reject);
	socket.once("close", () => reject(new Error("the server closed a kept-alive connection")));
	next();
	return promise;
}

const OK = Buffer.from("HTTP/1.1 200 ");

/** Size of the first answer in `bytes`; undefined until its head is complete. */
function answerLength(bytes: Buffer): number | undefined {
	const end = bytes.indexOf(HEAD_END);
	if (end < 0) return undefined;
	const length = /\r\ncontent-length: (\d+)/i.exec(bytes.toString("latin1", 0, end))?.[1];
	if (length === undefined) throw new Error("an answer without a length");
	return end + HEAD_END.length + Number(length);
}
