/**
 * An ACP agent over stdio that misbehaves on request: the prompt's last `UNRULY:` line scripts it, steps
 * joined by ` ;; ` (unruly/directives.ts lists them), e.g. `UNRULY:SAY hi ;; WRITE report.md # text ;; DIE 3`.
 * Environment, for what happens outside a prompt:
 *
 *   UNRULY_STATE=<file>      keeps conversations there and offers session/load
 *   UNRULY_RESUME=1          offers session/resume instead
 *   UNRULY_LOAD=fail         refuses to load or resume; unreadable: tells a conversation again in updates that can't be read
 *   UNRULY_AUTH=required     session/new answers -32000
 *   UNRULY_AUTH=none         offers no way to sign in
 *   UNRULY_MODELS=a,b        offers these models as a configuration option
 *   UNRULY_MODELS_OF=new     names them only when a conversation begins
 *   UNRULY_MODELS_STAY=1     accepts the choice of another one, and keeps the first
 *   UNRULY_STORIES=<file>    scripts for prompts without an UNRULY: line: JSON, by a line of the prompt; may span lines
 *   UNRULY_HANDSHAKE=hang    never answers initialize; die: exits with 7; garbage: writes lines that are not messages without end
 */
import { env, stderr, stdin, stdout } from "node:process";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";
import { ConversationFile } from "./unruly/conversations.ts";
import { runScript } from "./unruly/directives.ts";
import { isStubborn } from "./unruly/process.ts";
import { artifactDirectory, readScript } from "./unruly/script.ts";

const conversations = new ConversationFile(env.UNRULY_STATE);
const running = new Map<string, AbortController>();
const models = (env.UNRULY_MODELS ?? "").split(",").filter((model) => model !== "");
let currentModel = models[0] ?? "";

function configOptions(): acp.SessionConfigOption[] {
	if (models.length === 0) return [];
	const options = models.map((model) => ({ value: model, name: `Model ${model}` }));
	return [{ type: "select", id: "model", name: "Model", category: "model", currentValue: currentModel, options }];
}

async function initialize(): Promise<acp.InitializeResponse> {
	if (env.UNRULY_HANDSHAKE === "hang" || env.UNRULY_HANDSHAKE === "garbage") await new Promise(() => {});
	if (env.UNRULY_HANDSHAKE === "die") {
		stderr.write("unruly: no licence found\n");
		process.exit(7);
	}
	const resumes = env.UNRULY_RESUME === "1";
	return {
		protocolVersion: 1,
		agentCapabilities: {
			loadSession: env.UNRULY_STATE !== undefined && !resumes,
			...(resumes ? { sessionCapabilities: { resume: {} } } : {}),
		},
		authMethods: env.UNRULY_AUTH === "none" ? [] : [{ id: "login", name: "Log in", description: "Run `unruly login` in a terminal" }],
	};
}

function open(sessionId: string): { configOptions?: acp.SessionConfigOption[] } {
	if (env.UNRULY_LOAD === "fail" || !conversations.load(sessionId)) throw acp.RequestError.sessionNotFound(sessionId);
	return env.UNRULY_MODELS_OF === "new" ? {} : { configOptions: configOptions() };
}

/** session/load tells the conversation again, which belongs to no turn. */
async function replay(sessionId: string, client: acp.AgentContext): Promise<void> {
	if (env.UNRULY_LOAD === "unreadable") {
		await client.notify<object>(acp.methods.client.session.update, { sessionId, update: { sessionUpdate: "agent_message_chunk" } });
		return;
	}
	const content = { type: "text", text: "replayed" } as const;
	const update = { sessionUpdate: "agent_message_chunk", content } as const;
	await client.notify(acp.methods.client.session.update, { sessionId, update });
}

async function prompt(params: acp.PromptRequest, client: acp.AgentContext): Promise<acp.PromptResponse> {
	const text = params.prompt.map((block) => (block.type === "text" ? block.text : "")).join("\n");
	const prompts = conversations.remember(params.sessionId, text);
	if (prompts === undefined) throw acp.RequestError.sessionNotFound(params.sessionId);
	const cancel = new AbortController();
	running.set(params.sessionId, cancel);
	try {
		const turn = {
			client,
			sessionId: params.sessionId,
			promptNumber: prompts.length,
			model: currentModel,
			blocks: params.prompt,
			directory: artifactDirectory(text) ?? process.cwd(),
			cancelled: cancel.signal,
			ignoresCancel: false,
		};
		return await runScript(turn, readScript(text));
	} finally {
		running.delete(params.sessionId);
	}
}

if (env.UNRULY_HANDSHAKE === "garbage") setInterval(() => stdout.write("Welcome to the unruly agent!\n".repeat(1000)), 1);

const { agent: method } = acp.methods;
const connection = acp
	.agent({ name: "unruly" })
	.onRequest(method.initialize, initialize)
	.onRequest(method.session.new, () => {
		if (env.UNRULY_AUTH === "required") throw acp.RequestError.authRequired();
		return { sessionId: conversations.create(), configOptions: configOptions() };
	})
	.onRequest(method.session.load, async ({ params, client }) => {
		const opened = open(params.sessionId);
		await replay(params.sessionId, client);
		return opened;
	})
	.onRequest(method.session.resume, ({ params }) => open(params.sessionId))
	.onRequest(method.session.setConfigOption, ({ params }) => {
		if (params.configId !== "model" || typeof params.value !== "string") throw acp.RequestError.invalidParams();
		if (env.UNRULY_MODELS_STAY !== "1") currentModel = params.value;
		return { configOptions: configOptions() };
	})
	.onRequest(method.session.prompt, ({ params, client }) => prompt(params, client))
	.onNotification(method.session.cancel, ({ params }) => running.get(params.sessionId)?.abort())
	.connect(acp.ndJsonStream(Writable.toWeb(stdout), Readable.toWeb(stdin) as ReadableStream<Uint8Array>));

await connection.closed;
if (!isStubborn()) process.exit(0);
