import { once } from "node:events";
import { ThreadId, TurnId } from "@xworkmate/contracts";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { z } from "zod";
import type { AppApi } from "../core/app-api.ts";
import { appMethods } from "./app-methods.ts";
import { sameToken } from "./app-token.ts";
import { toFailure } from "./failure.ts";

const BODY_BYTES = 40 * 1024 * 1024;
/** A client gives up a body that is silent for minutes; a long run may be. */
const ALIVE_MS = 15_000;
const BEARER = /^Bearer (\S+)$/;

export interface AppServerOptions {
	readonly api: AppApi;
	readonly token: string;
	readonly onError: (error: unknown) => void;
}

export interface AppServer {
	readonly app: FastifyInstance;
	/** Settles when nobody watches a turn. */
	idle(): Promise<void>;
}

/**
 * The app's local API: `POST /api/<method>` with a JSON body, and `GET /api/events/<thread>/<turn>`
 * as newline-delimited JSON. Loopback only; a bearer token, and Host and Origin are checked.
 */
export function createAppServer(options: AppServerOptions): AppServer {
	const watchers = new Watchers();
	const server = Fastify({ bodyLimit: BODY_BYTES, forceCloseConnections: true });
	server.addHook("onRequest", (request, reply) => guard(options.token, request, reply));
	server.setErrorHandler((error, _request, reply) => refuse(options, error, reply));
	for (const [name, method] of Object.entries(appMethods)) {
		server.post(`/api/${name}`, async (request) => ({ result: (await method.call(options.api, request.body ?? {})) ?? null }));
	}
	server.post("/api/ping", () => ({ result: { pid: process.pid } }));
	server.get("/api/events/:threadId/:turnId", (request, reply) => watchers.during(sendEvents(options, request, reply)));
	return { app: server, idle: () => watchers.none() };
}

/** Counts the streams that are open. */
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

async function guard(token: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
	const host = request.headers.host ?? "";
	const { origin } = request.headers;
	const port = request.socket.localPort;
	const allowed = [`127.0.0.1:${port}`, `localhost:${port}`];
	if (!allowed.includes(host) || (origin !== undefined && !allowed.includes(origin.replace(/^http:\/\//, "")))) {
		await reply.code(403).send({ error: { code: "FORBIDDEN_HOST", message: "this address may not be used" } });
		return;
	}
	const [, given = ""] = BEARER.exec(request.headers.authorization ?? "") ?? [];
	if (!sameToken(given, token))
		await reply.code(401).send({ error: { code: "UNAUTHENTICATED", message: "the app's token is missing or wrong" } });
}

function refuse(options: AppServerOptions, error: unknown, reply: FastifyReply): void {
	const failure = toFailure(error);
	if (failure.code === "INTERNAL") options.onError(error);
	reply.code(400).send({ error: failure });
}

const EventParams = z.object({ threadId: ThreadId, turnId: TurnId });
const EventQuery = z.object({ afterSeq: z.coerce.number().int().min(0).default(0) });

/** One JSON document a line; the reader sets the pace, and its leaving ends the watch. */
async function sendEvents({ api, onError }: AppServerOptions, request: FastifyRequest, reply: FastifyReply): Promise<void> {
	const { threadId, turnId } = EventParams.parse(request.params);
	const { afterSeq } = EventQuery.parse(request.query);
	reply.hijack();
	const { raw } = reply;
	raw.writeHead(200, { "content-type": "application/x-ndjson" });
	raw.flushHeaders();
	const alive = setInterval(() => raw.write(`${JSON.stringify({ type: "alive" })}\n`), ALIVE_MS);
	try {
		for await (const event of api.watch(threadId, turnId, afterSeq)) {
			if (raw.destroyed) return;
			if (!raw.write(`${JSON.stringify(event)}\n`)) await Promise.race([once(raw, "drain"), once(raw, "close")]);
		}
	} catch (error) {
		if (toFailure(error).code === "INTERNAL") onError(error);
		raw.write(`${JSON.stringify({ type: "refused", failure: toFailure(error) })}\n`);
	} finally {
		clearInterval(alive);
		raw.end();
	}
}
