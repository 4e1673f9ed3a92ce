import { fastifySSE } from "@fastify/sse";
import { ContractError, limits } from "@xworkmate/contracts";
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import type { PlanFeed, PlanFiles } from "../ports/plans/plan-service.ts";
import type { RunResults } from "../ports/runs/run-results.ts";
import type { RunService } from "../ports/runs/run-service.ts";
import type { ReceiptExport } from "../ports/tools/receipt-service.ts";
import type { RpcDispatcher } from "../rpc/index.ts";
import { type AccessGuardOptions, guardAccess } from "./access/access-guard.ts";
import { parseJsonBody } from "./access/json-body.ts";
import { refuseOtherMethods } from "./access/method-guard.ts";
import type { StartGate } from "./access/start-gate.ts";
import { serveArtifacts } from "./artifacts/artifact-routes.ts";
import { serveMessages } from "./artifacts/message-routes.ts";
import { serveOutput } from "./artifacts/output-route.ts";
import { serveHealth } from "./health-routes.ts";
import type { BridgeMetrics } from "./metrics.ts";
import { createNodeServer, everyAnswer, type TlsTexts } from "./node-server.ts";
import { serveReceipts } from "./receipts/receipt-routes.ts";
import { sendError } from "./reply/error-reply.ts";
import { serveAcpRpc } from "./rpc/acp-rpc.ts";

export interface HttpServerOptions {
	readonly runs: RunService;
	readonly plans: PlanFeed;
	readonly messages: PlanFiles;
	readonly results: RunResults;
	readonly receipts: ReceiptExport;
	readonly dispatcher: RpcDispatcher;
	readonly metrics: BridgeMetrics;
	readonly access: AccessGuardOptions;
	/** Opened once requests about runs can be answered. */
	readonly gate: StartGate;
	readonly heartbeatMs: number;
	/** Checks whether the bridge's files are still at their path. */
	readonly isHomeThere: () => boolean;
	readonly logger: FastifyBaseLogger;
	readonly tls?: TlsTexts;
}

function noSchemas(): never {
	throw new Error("a route has a JSON schema, but no schema compiler is loaded");
}

/** The bridge's HTTP interface, not yet listening (docs/protocol.md#transport). */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
	const app = fastify({
		loggerInstance: Object.create(options.logger),
		// URLs and bodies are not logged; onResponse logs the route.
		logController: new LogController({ disableRequestLogging: true }),
		bodyLimit: limits.bodyBytes,
		forceCloseConnections: true,
		// No route has a JSON schema, so the hundred modules that compile schemas are not loaded.
		schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
		serverFactory: (handler) => createNodeServer(handler, options.tls),
		// Fastify runs no hooks for these errors, so the headers of every answer are added here.
		frameworkErrors: (error, request, reply) => sendError(request, reply.headers(everyAnswer), error),
	});
	app.setErrorHandler((error, request, reply) => sendError(request, reply, error));
	app.setNotFoundHandler((request, reply) => sendError(request, reply, new ContractError("NOT_FOUND")));
	// Log lines do not name their request, so no request needs a child logger. Fastify would check what a child-logger factory returns at
	// each request, so `child` is replaced instead.
	Object.defineProperty(app.log, "child", { value: () => app.log });
	app.addHook("onRequest", (_request, reply, done) => {
		// The headers are not set on the raw response, because Node writes a head faster when all of its headers are given at once.
		reply.headers(everyAnswer);
		done();
	});
	guardAccess(app, options.access);
	measure(app, options.metrics);
	acceptJson(app);
	refuseOtherMethods(app);
	await app.register(fastifySSE);
	await app.register(async (routes) => serveHealth(routes, options.metrics, options.gate, options.isHomeThere));
	await app.register(async (routes) => {
		options.gate.guard(routes);
		serveAcpRpc(routes, { ...options, onStreams: (change) => options.metrics.streamsChanged(change) });
		serveArtifacts(routes, options.results);
		serveOutput(routes, options.results);
		serveReceipts(routes, options.receipts);
		serveMessages(routes, options.messages);
	});
	return app;
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
