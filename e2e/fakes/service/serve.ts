import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { stdin } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { Fault, Faults } from "./faults.ts";

export interface Asked {
	readonly method: string;
	/** Decoded. */
	readonly path: string;
	readonly query: URLSearchParams;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
	/** Where this service is reached. */
	readonly origin: string;
}

export interface Reply {
	readonly status: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
}

/** Says that something was changed. `key`: what a repeat would have in common with it. */
export type Did = (kind: string, key: string) => void;

/** A service: what it answers, and what it has done meanwhile. */
export type Service = (asked: Asked, did: Did) => Reply;

const HUGE_BYTES = 100_000_000;

/**
 * Runs a service as a process on 127.0.0.1. Prints `{"url": ...}` once it listens; ends on SIGTERM or when its standard input closes. Beside
 * the service it has, for tests:
 *
 *   POST /__fake/fault      how a next request goes wrong (`Fault`)
 *   GET  /__fake/effects    [{kind, key, count}], what was done
 *   GET  /__fake/requests   [{method, path, idempotencyKey?}], what was asked
 */
export function serveFake(service: Service): void {
	const faults = new Faults();
	const effects = new Map<string, { readonly kind: string; readonly key: string; readonly count: number }>();
	const requests: object[] = [];

	const did: Did = (kind, key) => {
		const name = JSON.stringify([kind, key]);
		effects.set(name, { kind, key, count: (effects.get(name)?.count ?? 0) + 1 });
	};

	async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const method = request.method ?? "GET";
		const origin = `http://${request.headers.host}`;
		const url = new URL(request.url ?? "/", origin);
		const path = decodeURIComponent(url.pathname);
		const isControl = path.startsWith("/__fake/");
		const fault = isControl ? undefined : faults.take(method, path);
		const key = request.headers["idempotency-key"];
		if (!isControl) requests.push({ method, path, ...(key === undefined ? {} : { idempotencyKey: key }) });
		if (fault?.kind === "reset_before") return void request.socket.resetAndDestroy();
		const body = await textOf(request);
		if (path === "/__fake/fault") {
			faults.add(Fault.parse(JSON.parse(body)));
			return void response.writeHead(204).end();
		}
		if (isControl) return void response.writeHead(200).end(JSON.stringify(path.endsWith("effects") ? [...effects.values()] : requests));

		if (fault?.kind === "delay") await delay(fault.ms);
		const isUndone = fault !== undefined && fault.kind !== "delay" && fault.kind !== "reset_after" && !fault.acts;
		const reply = isUndone
			? { status: 500 }
			: service({ method, path, query: url.searchParams, headers: request.headers, body, origin }, did);
		await answer(fault, reply, response);
	}

	const server = createServer((request, response) => {
		serve(request, response).catch((error: unknown) => {
			console.error(error);
			response.socket?.destroy();
		});
	});
	server.listen(0, "127.0.0.1", () => {
		const address = server.address();
		if (address === null || typeof address === "string") throw new Error("the fake service listens on no port");
		console.log(JSON.stringify({ url: `http://127.0.0.1:${address.port}` }));
	});

	const end = () => {
		server.close();
		server.closeAllConnections();
		stdin.destroy();
	};
	process.once("SIGTERM", end);
	stdin.once("end", end).once("error", end).resume();
}

async function answer(fault: Fault | undefined, reply: Reply, response: ServerResponse): Promise<void> {
	switch (fault?.kind) {
		case "reset_after":
			return void response.socket?.resetAndDestroy();
		case "hang":
			return;
		case "answer":
			return void response.writeHead(fault.status, fault.headers).end(fault.body);
		case "garbage":
			return void response.socket?.end(`HTTP/1.1 200 OK\r\n\u0000{"<html>\r\n\r\n${"?".repeat(1_000)}`);
		case "huge": {
			const part = "x".repeat(1_000_000);
			const closed = once(response, "close");
			response.writeHead(reply.status, reply.headers);
			for (let sent = 0; sent < HUGE_BYTES && !response.destroyed; sent += part.length) {
				if (!response.write(part)) await Promise.race([once(response, "drain"), closed]);
			}
			return void response.end();
		}
		default:
			return void response.writeHead(reply.status, reply.headers).end(reply.body);
	}
}

function once(response: ServerResponse, event: string): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	response.once(event, resolve);
	return promise;
}

async function textOf(request: IncomingMessage): Promise<string> {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part);
	return Buffer.concat(parts).toString("utf8");
}
