import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Duplex } from "node:stream";
import { ContractError } from "@xworkmate/contracts";
import type { FastifyServerFactoryHandler } from "fastify";
import { errorResponse } from "../rpc/index.ts";

const REQUEST_MS = 300_000;
const KEEP_ALIVE_MS = 72_000;
const JSON_TYPE = "application/json; charset=utf-8";

/** Headers of every answer, unless a route sets other values. */
export const everyAnswer = { "x-content-type-options": "nosniff", "cache-control": "no-store" };

/** Certificate and key as PEM text. */
export interface TlsTexts {
	readonly cert: string;
	readonly key: string;
}

/** Node's HTTP server. Errors that Node answers before a request reaches a route get a JSON-RPC body too. */
export function createNodeServer(handler: FastifyServerFactoryHandler, tls: TlsTexts | undefined): Server {
	// The access guard answers requests without a Host header, with a body that explains the error.
	const settings = { requireHostHeader: false, requestTimeout: REQUEST_MS, keepAliveTimeout: KEEP_ALIVE_MS };
	const server = tls === undefined ? createServer(settings, handler) : createTlsServer({ ...settings, ...tls }, handler);
	server.on("clientError", answerMalformed);
	server.on("checkExpectation", answerExpectation);
	server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
		socket.on("error", () => socket.destroy());
		endWith(socket, "405 Method Not Allowed", new ContractError("METHOD_NOT_ALLOWED", { detail: "The bridge is not a proxy." }));
	});
	return server;
}

/** Answers input that Node's parser refuses, or that takes too long to arrive. */
function answerMalformed(error: Error & { code?: string }, socket: Duplex): void {
	if (!socket.writable || error.code === "ECONNRESET") socket.destroy();
	else
		endWith(
			socket,
			"400 Bad Request",
			new ContractError("INVALID_REQUEST", {
				detail: "The request is not valid HTTP, its headers are too large, or it did not arrive in time.",
			}),
		);
}

function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
	const error = new ContractError("INVALID_REQUEST", { detail: "The only supported expectation is 100-continue." });
	const headers = { ...everyAnswer, "content-type": JSON_TYPE, connection: "close" };
	response.writeHead(417, headers).end(JSON.stringify(errorResponse(null, error)));
}

function endWith(socket: Duplex, status: string, error: ContractError): void {
	const body = JSON.stringify(errorResponse(null, error));
	const headers = { ...everyAnswer, "content-type": JSON_TYPE, "content-length": Buffer.byteLength(body), connection: "close" };
	const head = [`HTTP/1.1 ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
	socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
