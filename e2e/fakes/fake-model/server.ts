import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AnswerWriter, openEvents, sendJson, tokens } from "./answer.ts";
import { answerAnthropic } from "./answer-anthropic.ts";
import { answerChat } from "./answer-chat.ts";
import { answerGemini } from "./answer-gemini.ts";
import { answerResponses } from "./answer-responses.ts";
import type { Dialect } from "./conversation.ts";
import { decide } from "./decide.ts";
import { type JsonObject, objectOf, stringOf } from "./json.ts";
import type { RequestLog } from "./request-log.ts";
import { type Route, routeOf } from "./route.ts";

const writers: Record<Dialect, AnswerWriter> = {
	chat: answerChat,
	responses: answerResponses,
	anthropic: answerAnthropic,
	gemini: answerGemini,
};

const modelIds = ["fake-model", "fake-small"];

/**
 * A model that does what its prompt says, in four dialects. Not listening yet.
 * @param escalate makes shell calls ask to leave the agent's sandbox, where its tool has a way to ask.
 */
export function createFakeModel(log: RequestLog, escalate: boolean): Server {
	let count = 0;
	return createServer((request, response) => {
		const number = ++count;
		serve({ request, response, number, log, escalate }).catch((error: unknown) => {
			log({ number, error: String(error) });
			if (response.headersSent) response.end();
			else sendJson(response, 500, { error: { message: String(error) } });
		});
	});
}

interface Exchange {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly number: number;
	readonly log: RequestLog;
	readonly escalate: boolean;
}

async function serve(exchange: Exchange): Promise<void> {
	const { request, response, number, log } = exchange;
	const { pathname: path } = new URL(request.url ?? "/", "http://model");
	const method = request.method ?? "GET";
	const body = await readJson(request);
	const route = routeOf(method, path);
	if (route.kind === "generate") return generate(exchange, route, path, body);
	log({ number, method, path, body, ...(route.kind === "unknown" ? { unhandled: true } : {}) });
	if (route.kind === "models") sendJson(response, 200, modelList(request));
	else if (route.kind === "count_tokens") sendJson(response, 200, { input_tokens: tokens.input, totalTokens: tokens.input });
	else sendJson(response, method === "HEAD" ? 200 : 404, { error: { message: `no such route: ${path}`, type: "not_found" } });
}

async function generate(exchange: Exchange, route: Extract<Route, { kind: "generate" }>, path: string, body: JsonObject): Promise<void> {
	const { response, number, log, escalate } = exchange;
	const { dialect } = route;
	const { act, directive, conversation } = decide(dialect, body, escalate);
	const model = route.model ?? stringOf(body.model);
	const stream = route.streamed || body.stream === true;
	const tools = conversation.tools.map(({ name, namespace }) => (namespace === undefined ? name : `${namespace}.${name}`));
	log({ number, path, dialect, model, tools, act: act.type, body, ...(directive === undefined ? {} : { directive }) });
	response.once("close", () => {
		if (!response.writableEnded) log({ number, abortedByCaller: true });
	});
	if (act.type === "error") {
		const error = { type: "fake_error", message: `fake error ${act.status}`, code: act.status, status: "FAKE" };
		return sendJson(response, act.status, { type: "error", error });
	}
	if (act.type === "garbage") {
		response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json" });
		response.end(`data: {"choices": [}\n\n\u0000<html>${"?".repeat(1000)}`);
		return;
	}
	if (act.type === "hang") {
		if (stream) openEvents(response);
		response.flushHeaders();
		return;
	}
	await writers[dialect]({ response, body, model, stream, act });
}

async function readJson(request: IncomingMessage): Promise<JsonObject> {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part);
	try {
		const value: unknown = JSON.parse(Buffer.concat(parts).toString("utf8"));
		return objectOf(value);
	} catch {
		return {};
	}
}

function modelList(request: IncomingMessage): object {
	if (request.headers["anthropic-version"] !== undefined) {
		const created_at = "2026-01-01T00:00:00Z";
		return { data: modelIds.map((id) => ({ id, type: "model", display_name: id, created_at })), has_more: false };
	}
	return { object: "list", data: modelIds.map((id) => ({ id, object: "model", owned_by: "fake" })), models: [] };
}
