import { ThreadId, TurnId } from "@xworkmate/contracts";
import { matchesSecret } from "@xworkmate/platform/files";
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { z } from "zod";
import type { AppApi } from "../api/app-api.ts";
import type { Method, Stream } from "../api/method.ts";
import { appMethods, type PageFunctions, pageMethods } from "../api/methods.ts";
import { APP_ENDING, type ProcessFunctions, processMethods } from "../api/process-rows.ts";
import {
	CHANGES_ROUTE,
	EXPORT_LINES_ROUTE,
	HOME_VERIFICATION_ROUTE,
	PLAN_LINES_ROUTE,
	RECEIPT_LINES_ROUTE,
	VERIFICATION_ROUTE,
} from "../api/ui-routes.ts";
import type { SettingDigests } from "../config/setting-digests.ts";
import { toFailure } from "../errors/failure.ts";
import { guard } from "./access/access-guard.ts";
import { OpenPages } from "./access/open-pages.ts";
import { addOpenRoute } from "./access/open-route.ts";
import { securityHeaders } from "./access/security-headers.ts";
import type { UiSessions } from "./access/ui-sessions.ts";
import { addFileRoutes, type FileSource } from "./files/file-routes.ts";
import { sendLines } from "./ndjson.ts";
import { Requests } from "./requests.ts";
import { addStaticUi, sendNotFound } from "./static-ui.ts";

const BODY_BYTES = 40 * 1024 * 1024;
/** The maximum length of a parameter in an address. Fastify's default, 100, is too short for ids, which have up to 200 characters. */
const PARAM_CHARS = 4096;

/** The additional parts that are needed to serve the page, not only the command. */
export interface UiParts {
	readonly sessions: UiSessions;
	readonly files: FileSource;
	/** The absolute path of the built page's folder. */
	readonly assets: string;
	/** Digests of the settings in this process's environment, which a second start or a command compares with its own. */
	readonly startedWith: SettingDigests;
}

export interface AppServerOptions {
	readonly api: AppApi;
	readonly token: string;
	readonly onError: (error: unknown) => void;
	/** Called when a client asks for something. */
	readonly onUse?: () => void;
	/** The process that the app runs in. */
	readonly process: ProcessFunctions;
	/** Absent if no page is served. */
	readonly ui?: UiParts;
}

export interface AppServer {
	readonly app: FastifyInstance;
	/** The calls and streams of clients that are in progress. */
	readonly requests: Requests;
	/** Settles when no client is following a turn or a plan. */
	idle(): Promise<void>;
}

function noSchemas(): never {
	throw new Error("a route has a JSON schema, but no schema compiler is loaded");
}

/**
 * The app's local server. For every client: `POST /api/<method>` with a JSON body, and streams of newline-delimited JSON, such
 * as `GET /api/events/<thread>/<turn>`. For pages: the page, `/open/<key>`, `/api/changes`, and downloads such as files and run logs.
 * It listens on loopback only and checks Host and Origin. Everything except the page's own code and `/open/<key>` requires a bearer token
 * or a session's cookie.
 */
export function createAppServer(options: AppServerOptions): AppServer {
	const { api, token, ui } = options;
	const isToken = matchesSecret(token);
	const watchers = new Watchers();
	const requests = new Requests(options.onUse);
	const server = Fastify({
		...{ bodyLimit: BODY_BYTES, forceCloseConnections: true, exposeHeadRoutes: false },
		routerOptions: { maxParamLength: PARAM_CHARS },
		// No route has a JSON schema, so the libraries that compile schemas, about a hundred modules, are not loaded.
		schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
		frameworkErrors: (_error, _request, reply) => sendUnreadable(reply),
	});
	server.addHook("onRequest", async (request, reply) => {
		reply.headers(securityHeaders);
		await guard({ isToken, ...(ui && { sessions: ui.sessions }) }, request, reply);
		if (reply.sent) return;
		if (requests.areRefused) return refuseForNext(request, reply);
		requests.add(reply.raw, request.method === "GET");
	});
	server.setErrorHandler((error, _request, reply) => refuse(options, error, reply));
	addMethods(server, appMethods, api);
	addMethods(server, processMethods, options.process);
	server.get("/api/events/:threadId/:turnId", (request, reply) => watchers.during(sendEvents(options, request, reply)));
	server.get(`${PLAN_LINES_ROUTE}/:planId`, (request, reply) => {
		const params = appMethods.watchPlan.params.parse({ ...Object(request.params), ...Object(request.query) });
		const lines = { lines: () => api.watchPlan(params), alive: () => ({ type: "alive" }), onError: options.onError };
		return watchers.during(sendLines(reply, lines));
	});
	server.get(VERIFICATION_ROUTE, (request, reply) => {
		const params = appMethods.verifyReceipts.params.parse(request.query);
		return sendLines(reply, { lines: () => api.verifyReceipts(params), alive: () => ({ type: "alive" }), onError: options.onError });
	});
	server.get(HOME_VERIFICATION_ROUTE, (request, reply) => {
		const params = appMethods.verifyHome.params.parse(request.query);
		return sendLines(reply, { lines: () => api.verifyHome(params), alive: () => ({ type: "alive" }), onError: options.onError });
	});
	server.get(RECEIPT_LINES_ROUTE, (request, reply) => {
		const params = appMethods.exportReceipts.params.parse(request.query);
		return sendLines(reply, { lines: () => api.exportReceipts(params), alive: () => ({ type: "alive" }), onError: options.onError });
	});
	server.get(`${EXPORT_LINES_ROUTE}/:threadId`, (request, reply) => {
		const params = appMethods.exportThread.params.parse({ ...Object(request.params), ...Object(request.query) });
		return sendLines(reply, { lines: () => api.exportThread(params), alive: () => ({ type: "alive" }), onError: options.onError });
	});
	if (ui === undefined) server.setNotFoundHandler((_request, reply) => sendNotFound(reply));
	else addUi(server, options, ui);
	return { app: server, requests, idle: () => watchers.none() };
}

function addUi(server: FastifyInstance, { api, onError }: AppServerOptions, { sessions, files, assets, startedWith }: UiParts): void {
	const functions: PageFunctions = {
		openKey: async () => ({ path: `/open/${sessions.mintKey()}` }),
		startedWith: async () => startedWith,
	};
	addMethods(server, pageMethods, functions);
	const alive = () => ({ type: "alive", serverTime: new Date().toISOString() });
	const pages = new OpenPages();
	server.get(CHANGES_ROUTE, (_request, reply) => sendLines(reply, { lines: () => pages.follow(api.changes()), alive, onError }));
	addOpenRoute(server, sessions);
	addFileRoutes(server, files);
	addStaticUi(server, assets);
}

type Rows = Readonly<Record<string, Method<z.ZodType, unknown> | Stream<z.ZodType, unknown>>>;

/** Adds a route for each method of a table, and parses its parameters. Streams are left out. */
function addMethods(server: FastifyInstance, rows: Rows, functions: Readonly<Record<string, (params: never) => unknown>>): void {
	for (const [name, row] of Object.entries(rows)) {
		if (row.kind === "stream") continue;
		const { params, commandOnly } = row;
		server.post(`/api/${name}`, { config: { commandOnly } }, async (request, reply) => {
			reply.header("cache-control", "no-store");
			const call = functions[name] as (given: unknown) => Promise<unknown>;
			return { result: (await call(params.parse(request.body ?? {}))) ?? null };
		});
	}
}

/** Counts the open streams of turns and plans, and waits until there are none. */
class Watchers {
	readonly #open = new Set<Promise<void>>();

	async during(stream: Promise<void>): Promise<void> {
		this.#open.add(stream);
		try {
			await stream;
		} finally {
			this.#open.delete(stream);
		}
	}

	async none(): Promise<void> {
		while (this.#open.size > 0) await Promise.allSettled(this.#open);
	}
}

/**
 * Refuses a request because the app is ending. A command learns that nothing was done, so it can ask the next app. A page's connection is
 * closed, as if the app had been killed.
 */
function refuseForNext(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
	if (request.headers.authorization === undefined) {
		reply.hijack();
		reply.raw.destroy();
		return undefined;
	}
	return reply
		.code(503)
		.header("connection", "close")
		.send({ error: { code: APP_ENDING, message: "XWorkmate is shutting down." } });
}

function refuse(options: AppServerOptions, error: unknown, reply: FastifyReply): void {
	const failure = toFailure(error);
	if (failure.code === "INTERNAL") options.onError(error);
	reply.code(failure.code.endsWith("_NOT_FOUND") ? 404 : statusOf(error)).send({ error: failure });
}

/** An address that cannot be parsed reaches no hook, so no guard has checked it. The response therefore does not repeat any part of it. */
function sendUnreadable(reply: FastifyReply): void {
	reply.headers(securityHeaders).code(400);
	reply.send({ error: { code: "INVALID_INPUT", message: "The address is invalid." } });
}

/** Fastify's own errors (a body too large, an unsupported media type) have a status. Any other error is a 400. */
function statusOf(error: unknown): number {
	const { statusCode = 400 } = error instanceof Error ? (error as Partial<FastifyError>) : {};
	return statusCode >= 400 && statusCode < 500 ? statusCode : 400;
}

const EventParams = z.object({ threadId: ThreadId, turnId: TurnId });
const EventQuery = z.object({ afterSeq: z.coerce.number().int().min(0).default(0) });

async function sendEvents({ api, onError }: AppServerOptions, request: FastifyRequest, reply: FastifyReply): Promise<void> {
	const { threadId, turnId } = EventParams.parse(request.params);
	const { afterSeq } = EventQuery.parse(request.query);
	await sendLines(reply, { lines: () => api.watch({ threadId, turnId, afterSeq }), alive: () => ({ type: "alive" }), onError });
}
