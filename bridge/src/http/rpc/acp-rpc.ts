// Types `reply.sse` and the route option of that name.
import type {} from "@fastify/sse";
import { ContractError, limits } from "@xworkmate/contracts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { JSONRPCID } from "json-rpc-2.0";
import { timestamp } from "../../ports/clock.ts";
import type { PlanFeed } from "../../ports/plans/plan-service.ts";
import type { RunService } from "../../ports/runs/run-service.ts";
import {
	errorResponse,
	isOwnFailure,
	isStreamMethod,
	normalizeError,
	type RpcDispatcher,
	readEnvelope,
	type StreamMethod,
	type StreamOpening,
} from "../../rpc/index.ts";
import { RPC_PATH } from "../reply/error-reply.ts";
import type { Frames } from "../reply/frames.ts";
import { StreamWriter } from "../reply/stream-writer.ts";
import { CHANGES_PAGE, ChangeStream } from "./change-stream.ts";
import { heartbeatFrame } from "./event-frames.ts";
import { EventStream, readFirstPage } from "./event-stream.ts";
import { PLAN_PAGE, PlanStream } from "./plan-stream.ts";
import { showVerification } from "./show-verification.ts";

export interface AcpRpcOptions {
	readonly runs: RunService;
	readonly plans: PlanFeed;
	readonly dispatcher: RpcDispatcher;
	readonly heartbeatMs: number;
	/** Called with +1 when a stream opens, and with -1 when it ends. */
	onStreams(change: 1 | -1): void;
}

interface Served extends AcpRpcOptions {
	heartbeat(): Frames;
	onStreamClosed(): void;
}

/** `POST /acp/rpc`: JSON, or an event stream where the method streams and the client accepts one (docs/protocol.md#transport). */
export function serveAcpRpc(app: FastifyInstance, options: AcpRpcOptions): void {
	const served: Served = { ...options, heartbeat: sharedHeartbeat(), onStreamClosed: () => options.onStreams(-1) };
	app.route({
		method: "POST",
		url: RPC_PATH,
		// `reply.sse` exists when Accept lists text/event-stream; its heartbeats are comments, so the bridge sends its own instead.
		sse: { kind: "dual", heartbeat: false },
		handler: (request, reply) => answer(request, reply, served),
	});
}

async function answer(request: FastifyRequest, reply: FastifyReply, options: Served): Promise<void> {
	const { body } = request;
	if (body === undefined) throw new ContractError("UNSUPPORTED_MEDIA_TYPE", { detail: "The request has no JSON body." });
	const acceptsStream = reply.sse !== undefined;
	if (Array.isArray(body)) {
		await answerBatch(request, reply, body, options);
		return;
	}
	const envelope = readEnvelope(body);
	if (acceptsStream && envelope.kind === "request" && isStreamMethod(envelope.request.method)) {
		await answerStream(request, reply, { id: envelope.id, method: envelope.request.method, params: envelope.request.params }, options);
		return;
	}
	sendJson(reply, await options.dispatcher.answer(envelope, goneOf(reply)));
}

/**
 * Returns a function that creates a signal, aborted when the request's connection closes. It is created on demand, because only a few
 * methods take long enough to need it.
 */
function goneOf(reply: FastifyReply): () => AbortSignal {
	return () => {
		const gone = new AbortController();
		reply.raw.once("close", () => gone.abort());
		if (reply.raw.destroyed) gone.abort();
		return gone.signal;
	};
}

async function answerBatch(
	request: FastifyRequest,
	reply: FastifyReply,
	messages: readonly unknown[],
	options: AcpRpcOptions,
): Promise<void> {
	const refusal = refuseBatch(messages, reply.sse !== undefined, request.headers.accept ?? "");
	if (refusal !== undefined) {
		sendJson(reply, errorResponse(null, new ContractError("INVALID_REQUEST", { detail: refusal })));
		return;
	}
	const responses = await options.dispatcher.answerBatch(messages, goneOf(reply));
	sendJson(reply, responses.length === 0 ? undefined : responses);
}

/** Why a whole batch is refused; undefined if it is not. */
function refuseBatch(messages: readonly unknown[], acceptsStream: boolean, accept: string): string | undefined {
	if (messages.length === 0) return "A batch must contain at least one request.";
	if (messages.length > limits.batchItems) return `A batch can have at most ${limits.batchItems} requests.`;
	if (!acceptsStream) return undefined;
	const wantsJson = /application\/json|\*\/\*/i.test(accept);
	const streams = messages.some((message) => {
		const envelope = readEnvelope(message);
		return envelope.kind === "request" && isStreamMethod(envelope.request.method);
	});
	return streams || !wantsJson
		? "A batch is always answered with JSON. Send streaming requests on their own, or accept only application/json."
		: undefined;
}

interface StreamRequest {
	readonly id: JSONRPCID;
	readonly method: StreamMethod;
	readonly params: unknown;
}

async function answerStream(
	request: FastifyRequest,
	reply: FastifyReply,
	{ id, method, params }: StreamRequest,
	options: Served,
): Promise<void> {
	let show: (writer: StreamWriter) => void;
	try {
		const opening = await options.dispatcher.openStream(method, params, { lastEventId: lastEventId(request) });
		show = await begin(options, opening, id);
	} catch (thrown) {
		const error = normalizeError(thrown);
		if (isOwnFailure(error)) request.log.error({ err: error.cause }, "a stream could not be opened");
		sendJson(reply, errorResponse(id, error));
		return;
	}
	// Releases the body, which may be megabytes, because the stream may be open for hours. For the same reason, this function does not wait
	// for the stream's end.
	request.body = undefined;
	const writer = commit(reply, options);
	options.onStreams(1);
	writer.onClosed(options.onStreamClosed);
	show(writer);
	// If there are no frames yet, the head is sent without them.
	reply.raw.flushHeaders();
}

/** Reads the first page, because a refusal has to come before the headers. Returns a function that streams from there. */
async function begin(
	{ runs, plans }: Pick<Served, "runs" | "plans">,
	opening: StreamOpening,
	id: JSONRPCID,
): Promise<(writer: StreamWriter) => void> {
	if (opening.shows === "changes") {
		const firstPage = await runs.changes.read(opening.after, CHANGES_PAGE);
		return (writer) => new ChangeStream(runs.changes, writer).begin(firstPage);
	}
	if (opening.shows === "plans") {
		const { planId, afterFeedSeq } = opening;
		const firstPage = await plans.read({ afterFeedSeq, limit: PLAN_PAGE, ...(planId && { planId }) });
		return (writer) => new PlanStream(plans, opening, id, writer).begin(firstPage, afterFeedSeq);
	}
	if (opening.shows === "verification") return (writer) => void showVerification(opening, id, writer);
	const firstPage = await readFirstPage(runs, opening);
	return (writer) => new EventStream(runs, opening, id, writer).begin(firstPage);
}

function lastEventId(request: FastifyRequest): string | undefined {
	const header = request.headers["last-event-id"];
	const sent = Array.isArray(header) ? header.join(",") : header;
	// An empty id is the same as none: a reader's last event id is empty until it has received one.
	return sent === "" ? undefined : sent;
}

/** Turns the reply into an event stream. */
function commit(reply: FastifyReply, { heartbeatMs, heartbeat }: Served): StreamWriter {
	reply.hijack();
	reply.sse.keepAlive();
	reply.sse.sendHeaders();
	return new StreamWriter(reply.raw, { heartbeatMs, heartbeat });
}

/** Heartbeats in the same millisecond share one frame. */
function sharedHeartbeat(): () => Frames {
	let beatAt = 0;
	let frames = heartbeatFrame(timestamp(beatAt));
	return () => {
		const now = Date.now();
		if (now !== beatAt) frames = heartbeatFrame(timestamp(now));
		beatAt = now;
		return frames;
	};
}

function sendJson(reply: FastifyReply, body: unknown): void {
	if (body === undefined) void reply.code(204).send();
	else void reply.type("application/json; charset=utf-8").send(JSON.stringify(body));
}
