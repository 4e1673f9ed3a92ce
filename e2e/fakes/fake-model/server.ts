import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AccountBehaviour, Accounts } from "./account-behaviour.ts";
import { type AnswerWriter, openEvents, sendJson, tokens } from "./answer.ts";
import { answerAnthropic } from "./answer-anthropic.ts";
import { answerChat } from "./answer-chat.ts";
import { answerGemini } from "./answer-gemini.ts";
import { answerResponses } from "./answer-responses.ts";
import { breakStream } from "./break-stream.ts";
import type { Dialect } from "./conversation.ts";
import { decide, type Habits } from "./decide.ts";
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

/** A model that does what its prompt says, in four dialects. Not listening yet. */
export function createFakeModel(log: RequestLog, accounts: Accounts, habits: Habits): Server {
	let count = 0;
	return createServer((request, response) => {
		if (request.url === "/__fake/account") return void tell(request, response, accounts);
		const number = ++count;
		serve({ request, response, number, log, accounts, habits }).catch((error: unknown) => {
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
	readonly accounts: Accounts;
	readonly habits: Habits;
}

async function serve(exchange: Exchange): Promise<void> {
	const { request, response, number, log } = exchange;
	const { pathname: path } = new URL(request.url ?? "/", "http://model");
	const method = request.method ?? "GET";
	const body = await readJson(request);
	const route = routeOf(method, path);
	const { headers } = request;
	const behaviour = exchange.accounts.take(secretOf(request));
	if (behaviour?.status !== undefined) {
		log({ number, method, path, headers, body, act: `account ${behaviour.status}` });
		return refuse(response, behaviour.status, behaviour);
	}
	if (route.kind === "generate") return generate(exchange, route, path, body, behaviour);
	log({ number, method, path, headers, body, ...(route.kind === "unknown" ? { unhandled: true } : {}) });
	if (route.kind === "models") sendJson(response, 200, modelList(request));
	else if (route.kind === "count_tokens") sendJson(response, 200, { input_tokens: tokens.input, totalTokens: tokens.input });
	else sendJson(response, method === "HEAD" ? 200 : 404, { error: { message: `no such route: ${path}`, type: "not_found" } });
}

/** Keys and tokens both come as a bearer; some clients send a key in a header of its own. */
function secretOf({ headers }: IncomingMessage): string {
	return stringOf(headers["x-api-key"]) || stringOf(headers.authorization).replace(/^Bearer\s+/i, "");
}

async function tell(request: IncomingMessage, response: ServerResponse, accounts: Accounts): Promise<void> {
	accounts.tell(await readJson(request));
	response.writeHead(204).end();
}

function refuse(response: ServerResponse, status: number, { headers, type, message }: AccountBehaviour): void {
	for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
	sendJson(response, status, { type: "error", error: { type: type ?? "fake_error", message: message ?? `fake error ${status}` } });
}

async function generate(
	exchange: Exchange,
	route: Extract<Route, { kind: "generate" }>,
	path: string,
	body: JsonObject,
	behaviour: AccountBehaviour | undefined,
): Promise<void> {
	const { request, response, number, log, habits } = exchange;
	const { dialect } = route;
	const { act, directive, conversation } = decide(dialect, body, habits);
	const model = route.model ?? stringOf(body.model);
	const stream = (route.streamed || body.stream === true) && behaviour?.whole !== true;
	const tools = conversation.tools.map(({ name, namespace }) => (namespace === undefined ? name : `${namespace}.${name}`));
	log({
		number,
		path,
		headers: request.headers,
		dialect,
		model,
		tools,
		act: act.type,
		body,
		...(directive === undefined ? {} : { directive }),
	});
	response.once("close", () => {
		if (!response.writableEnded) log({ number, abortedByCaller: true });
	});
	const fault = behaviour?.stream ?? (act.type === "broken" ? act.fault : undefined);
	if (fault !== undefined) return breakStream(response, dialect, model, fault, behaviour?.message ?? "fake error in the stream");
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
