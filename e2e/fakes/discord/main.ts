/**
 * Discord for tests: REST, gateway, RESUME, nonces, interactions, files. Its bot's token is `fake.bot.token`. Prints `{"url": ...}` once it
 * listens; ends on SIGTERM or when its standard input closes. Beside the API below `/api`, it has, for tests, `POST /__fake/do` (`Order`)
 * and `GET /__fake/state`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { stdin } from "node:process";
import { z } from "zod";
import { Gateway, type GatewayRules } from "./gateway.ts";
import { Rest } from "./rest.ts";
import { channels, Messages } from "./world.ts";

const User = z.object({ id: z.string(), username: z.string(), bot: z.boolean().optional() });
/** What a test has Discord, or somebody on it, do. */
const Order = z.discriminatedUnion("kind", [
	/** `untold`: nobody has been told, as while the bot is offline. */
	z.object({
		kind: z.literal("say"),
		channel: z.string(),
		user: User,
		content: z.string(),
		files: z.array(z.object({ name: z.string(), size: z.number(), text: z.string().optional() })).default([]),
		untold: z.boolean().default(false),
		more: z.record(z.string(), z.unknown()).default({}),
	}),
	z.object({ kind: z.literal("click"), channel: z.string(), user: User, customId: z.string() }),
	z.object({ kind: z.literal("command"), channel: z.string(), user: User, name: z.string() }),
	/**
	 * The next answers to requests whose path contains the text. `after`: it is done, and the answer is lost. `hang`: there is no answer, and
	 * with `after` it is done nevertheless. `bare`: not in Discord's own words.
	 */
	z.object({
		kind: z.literal("fail"),
		method: z.string(),
		path: z.string(),
		times: z.number().default(1),
		status: z.number().default(0),
		retryAfter: z.number().default(0),
		after: z.boolean().default(false),
		hang: z.boolean().default(false),
		bare: z.boolean().default(false),
		code: z.number().default(0),
	}),
	z.object({ kind: z.literal("mend") }),
	z.object({ kind: z.literal("close"), code: z.number() }),
	z.object({ kind: z.literal("cut") }),
	z.object({ kind: z.literal("replay") }),
	z.object({ kind: z.literal("delete"), message: z.string() }),
	z.object({ kind: z.literal("forbid"), channel: z.string(), on: z.boolean() }),
	z.object({
		kind: z.literal("rule"),
		isIntentOff: z.boolean().optional(),
		forgetsSessions: z.boolean().optional(),
		forgetsNonces: z.boolean().optional(),
	}),
]);
type Order = z.infer<typeof Order>;
type Failure = Extract<Order, { kind: "fail" }>;

const TOKEN = "fake.bot.token";
const rules: GatewayRules = { token: TOKEN, isIntentOff: false, forgetsSessions: false };
const gateway = new Gateway(rules);
const messages = new Messages();
const rest = new Rest(messages);
const requests: { readonly method: string; readonly path: string; readonly status: number }[] = [];
const failures: Failure[] = [];

function obey(order: Order, origin: string): object {
	switch (order.kind) {
		case "say":
			return say(order, origin);
		case "click":
		case "command":
			return interact(order);
		case "fail":
			failures.push(order);
			return {};
		case "mend":
			failures.length = 0;
			return {};
		case "close":
			gateway.close(order.code);
			return {};
		case "cut":
			gateway.cut();
			return {};
		case "replay":
			gateway.replay();
			return {};
		case "delete":
			messages.all.delete(order.message);
			return {};
		case "forbid":
			if (order.on) rest.forbidden.add(order.channel);
			else rest.forbidden.delete(order.channel);
			return {};
		case "rule":
			if (order.isIntentOff !== undefined) rules.isIntentOff = order.isIntentOff;
			if (order.forgetsSessions !== undefined) rules.forgetsSessions = order.forgetsSessions;
			if (order.forgetsNonces !== undefined) rest.forgetsNonces = order.forgetsNonces;
			return {};
	}
}

function say({ channel, user, content, files, untold, more }: Extract<Order, { kind: "say" }>, origin: string): object {
	const attachments = files.map(({ name, size, text }) => {
		const id = messages.newId();
		if (text !== undefined) messages.files.set(id, Buffer.from(text));
		return { id, filename: name, size, url: `${origin}/files/${id}`, content_type: "text/plain" };
	});
	const message = messages.add({ channel_id: channel, author: user, content, attachments, ...more });
	const guild = channels.get(channel)?.guild_id;
	if (!untold) gateway.tell("MESSAGE_CREATE", { ...Messages.shown(message), ...(guild !== undefined && { guild_id: guild }) });
	return { id: message.id };
}

function interact(order: Extract<Order, { kind: "click" | "command" }>): object {
	const { channel, user } = order;
	const id = messages.newId();
	const token = `interaction-token-${id}`;
	rest.interactions.set(token, id);
	const guild = channels.get(channel)?.guild_id;
	const data = order.kind === "click" ? { component_type: 2, custom_id: order.customId } : { id: "500", name: order.name, type: 1 };
	const who = guild === undefined ? { user } : { guild_id: guild, member: { user, roles: [], permissions: "8" } };
	const type = order.kind === "click" ? 3 : 2;
	gateway.tell("INTERACTION_CREATE", { id, token, type, version: 1, application_id: "100", channel_id: channel, data, ...who });
	return { id };
}

async function bodyOf(request: IncomingMessage): Promise<{ body: unknown; files: { name: string; bytes: Buffer }[] }> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(Buffer.from(chunk));
	const bytes = Buffer.concat(chunks);
	const type = request.headers["content-type"] ?? "";
	if (!type.startsWith("multipart/")) return { body: bytes.length === 0 ? undefined : JSON.parse(bytes.toString("utf8")), files: [] };
	const form = await new Response(bytes, { headers: { "content-type": type } }).formData();
	const files: { name: string; bytes: Buffer }[] = [];
	for (const [name, value] of form) {
		if (typeof value !== "string" && name.startsWith("files"))
			files.push({ name: value.name, bytes: Buffer.from(await value.arrayBuffer()) });
	}
	return { body: JSON.parse(String(form.get("payload_json") ?? "{}")), files };
}

function takeFailure(method: string, path: string): Failure | undefined {
	const failure = failures.find((one) => one.method === method && path.includes(one.path));
	if (failure !== undefined && --failure.times === 0) failures.splice(failures.indexOf(failure), 1);
	return failure;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const method = request.method ?? "GET";
	const origin = `http://${request.headers.host}`;
	const url = new URL(request.url ?? "/", origin);
	const json = (status: number, body: unknown, headers = {}) => {
		if (body === undefined) response.writeHead(status).end();
		else response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
	};
	if (url.pathname.startsWith("/files/")) {
		const file = messages.files.get(url.pathname.slice("/files/".length));
		return file === undefined ? json(404, {}) : void response.writeHead(200).end(file);
	}
	const { body, files } = await bodyOf(request);
	if (url.pathname === "/__fake/do") return json(200, obey(Order.parse(body), origin));
	if (url.pathname === "/__fake/state") {
		const { answered, commands } = rest;
		return json(200, {
			messages: [...messages.all.values()],
			answered,
			commands,
			requests,
			gateway: gateway.log,
			isConnected: gateway.isConnected,
		});
	}
	const path = url.pathname.replace(/^\/api\/v10/, "");
	const shownPath = path.replace(/interaction-token-\d+/, "TOKEN");
	const failure = takeFailure(method, path);
	if (failure?.hang === true && !failure.after) return void requests.push({ method, path: shownPath, status: 0 });
	const { authorization } = request.headers;
	const isKnown = authorization === undefined ? /^\/(interactions|webhooks)\//.test(path) : authorization === `Bot ${TOKEN}`;
	const isDone = failure === undefined || failure.after;
	const reply = !isKnown
		? { status: 401, body: { message: "401: Unauthorized", code: 0 } }
		: isDone
			? rest.answer({ method, path, query: url.searchParams, body, files, origin })
			: { status: failure.status, body: { message: "a failure", code: failure.code, retry_after: failure.retryAfter, global: false } };
	requests.push({ method, path: shownPath, status: reply.status });
	if (failure?.after === true && failure.hang) return;
	if (failure?.after === true) return void response.socket?.destroy();
	if (failure?.bare === true) return void response.writeHead(failure.status, { "content-type": "text/html" }).end("<h1>No</h1>");
	const slow = reply.status === 429 ? { "retry-after": String(failure?.retryAfter ?? 0), "x-ratelimit-scope": "user" } : {};
	json(reply.status, reply.body, slow);
}

const server = createServer((request, response) => {
	serve(request, response).catch((error: unknown) => {
		console.error(error);
		response.socket?.destroy();
	});
});
server.on("upgrade", (request, stream) => gateway.accept(request, stream, `ws://${request.headers.host}`));
server.listen(0, "127.0.0.1", () => {
	const address = server.address();
	if (address === null || typeof address === "string") throw new Error("the fake Discord listens on no port");
	console.log(JSON.stringify({ url: `http://127.0.0.1:${address.port}` }));
});
const end = () => {
	gateway.cut();
	server.close();
	server.closeAllConnections();
	stdin.destroy();
};
process.once("SIGTERM", end);
stdin.once("end", end).once("error", end).resume();
