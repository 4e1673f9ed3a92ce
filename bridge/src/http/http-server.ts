import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Duplex } from "node:stream";
import { fastifySSE } from "@fastify/sse";
import { ContractError, limits } from "@xworkmate/contracts";
import { type FastifyBaseLogger, type FastifyInstance, type FastifyServerFactoryHandler, fastify, LogController } from "fastify";
import { errorResponse, type RpcDispatcher } from "../rpc/index.ts";
import { type AccessGuardOptions, guardAccess } from "./access-guard.ts";
import { serveAcpRpc } from "./acp-rpc.ts";
import { serveArtifacts } from "./artifact-routes.ts";
import type { ArtifactSource } from "./artifact-source.ts";
import { sendError } from "./error-reply.ts";
import { serveHealth } from "./health-routes.ts";
import { parseJsonBody } from "./json-body.ts";
import { refuseOtherMethods } from "./method-guard.ts";
import type { BridgeMetrics } from "./metrics.ts";
import { serveOutput } from "./output-route.ts";

export interface HttpServerOptions extends ArtifactSource {
	readonly dispatcher: RpcDispatcher;
	readonly metrics: BridgeMetrics;
	readonly access: AccessGuardOptions;
	readonly heartbeatMs: number;
	readonly logger: FastifyBaseLogger;
	/** PEM texts. */
	readonly tls?: { readonly cert: string; readonly key: string };
}

const REQUEST_MS = 300_000;
const KEEP_ALIVE_MS = 72_000;

/** The bridge's HTTP face, not yet listening (CONTRACT, Transport). */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
	const app = fastify({
		loggerInstance: options.logger,
		// URLs and bodies are not logged; onResponse logs the route.
		logController: new LogController({ disableRequestLogging: true }),
		bodyLimit: limits.bodyBytes,
		forceCloseConnections: true,
		serverFactory: (handler) => createNodeServer(handler, options.tls),
		frameworkErrors: (error, request, reply) => sendError(request, reply, error),
	});
	app.setErrorHandler((error, request, reply) => sendError(request, reply, error));
	app.setNotFoundHandler((request, reply) => sendError(request, reply, new ContractError("NOT_FOUND")));
	// The log has no line for each request, so none of them needs a logger of its own.
	app.setChildLoggerFactory((logger) => logger);
	app.addHook("onRequest", (_request, reply, done) => {
		reply.raw.setHeader("x-content-type-options", "nosniff");
		reply.raw.setHeader("cache-control", "no-store");
		done();
	});
	guardAccess(app, options.access);
	measure(app, options.metrics);
	acceptJson(app);
	refuseOtherMethods(app);
	await app.register(fastifySSE);
	await app.register(async (routes) => {
		serveAcpRpc(routes, { ...options, onStreams: (change) => options.metrics.streamsChanged(change) });
		serveArtifacts(routes, options);
		serveOutput(routes, options.runs);
		serveHealth(routes, options.metrics);
	});
	return app;
}

function createNodeServer(handler: FastifyServerFactoryHandler, tls: HttpServerOptions["tls"]): Server {
	// The guard answers for a missing Host, with a body that says so.
	const settings = { requireHostHeader: false, requestTimeout: REQUEST_MS, keepAliveTimeout: KEEP_ALIVE_MS };
	const server = tls === undefined ? createServer(settings, handler) : createTlsServer({ ...settings, ...tls }, handler);
	server.on("clientError", answerMalformed);
	return server;
}

/** What is no HTTP still gets an answer. */
function answerMalformed(error: Error & { code?: string }, socket: Duplex): void {
	if (!socket.writable || error.code === "ECONNRESET") {
		socket.destroy();
		return;
	}
	const body = JSON.stringify(errorResponse(null, new ContractError("INVALID_REQUEST", { detail: "the request is not HTTP/1.1" })));
	const head = ["HTTP/1.1 400 Bad Request", "Content-Type: application/json; charset=utf-8", `Content-Length: ${Buffer.byteLength(body)}`];
	socket.end(`${[...head, "Connection: close"].join("\r\n")}\r\n\r\n${body}`);
}

function acceptJson(app: FastifyInstance): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
		try {
			if (request.headers["content-encoding"] !== undefined) throw new ContractError("UNSUPPORTED_MEDIA_TYPE");
			done(null, parseJsonBody(typeof body === "string" ? Buffer.from(body) : body));
		} catch (error) {
			done(error instanceof Error ? error : new Error(String(error)));
		}
	});
}

function measure(app: FastifyInstance, metrics: BridgeMetrics): void {
	app.addHook("onResponse", (request, reply, done) => {
		const route = request.routeOptions.url ?? "none";
		metrics.answered(route, reply.statusCode, reply.elapsedTime / 1000);
		request.log.debug({ method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, "answered");
		done();
	});
}
