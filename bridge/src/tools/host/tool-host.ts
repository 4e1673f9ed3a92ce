import { Readable } from "node:stream";
import { format } from "node:util";
import { createHttp, OutcomeUnknown, ToolFailed } from "@xworkmate/tool";
import type { z } from "zod";
import { sendFrame } from "../../processes/frames/blocking-pipe.ts";
import type { Frame } from "../../processes/frames/frame.ts";
import { FrameReader } from "../../processes/frames/frame-reader.ts";
import { DeclaredTools, type HostedTool } from "./declared-tools.ts";
import { type HostMessage, type HostRequest, JSON_BYTES } from "./host-messages.ts";
import { SourceModules } from "./source-modules.ts";

/*
 * The process of one integration: it imports the integration's files, then examines and calls its tools. It ends when the bridge ends it,
 * or when the bridge is gone.
 */
const MAX_FRAME_BYTES = 64 * 2 ** 20;
/** How many UTF-16 units of what tools print are kept for their author, from the beginning. The rest is dropped here. */
const PRINTED_BYTES = 64 * 1024;
const MESSAGE_CHARACTERS = 2_000;

const tools = new Map<string, HostedTool>();
const calls = new Map<number, AbortController>();
let dataFolder = "";

const input = process.stdin;
const reader = new FrameReader({ bytes: MAX_FRAME_BYTES, headBytes: 64 * 1024 });
keepOutputApart();
input.on("data", (chunk: Buffer) => {
	reader.push(chunk);
	for (let frame = reader.next(); frame !== undefined; frame = reader.next()) void handle(frame);
});
input.on("end", () => process.exit(0));
send({ kind: "ready" });

function send(message: HostMessage, ...texts: readonly string[]): void {
	sendFrame(message, texts);
}

/** Keeps tools away from standard output, which carries frames, and from standard input. */
function keepOutputApart(): void {
	const errors = process.stderr.write.bind(process.stderr);
	let left = PRINTED_BYTES;
	const write = (chunk: unknown): boolean => {
		if (left <= 0) return true;
		const text = typeof chunk === "string" ? chunk : chunk instanceof Uint8Array ? Buffer.from(chunk).toString("utf8") : String(chunk);
		errors(text.slice(0, left));
		left -= text.length;
		return true;
	};
	for (const stream of [process.stdout, process.stderr]) Object.defineProperty(stream, "write", { value: write });
	const print = (...values: readonly unknown[]) => void (left > 0 && write(`${format(...values)}\n`));
	for (const level of ["log", "info", "warn", "error", "debug", "trace"] as const) console[level] = print;
	Object.defineProperty(process, "stdin", { value: Readable.from([]) });
}

async function handle(frame: Frame): Promise<void> {
	// Not validated, because only the bridge, which is trusted, can write to this process's standard input.
	const request = frame.head as HostRequest;
	const text = (index: number) => Buffer.from(frame.texts[index] ?? []).toString("utf8");
	if (request.kind === "load") await load(request, JSON.parse(text(0)));
	else if (request.kind === "examine") await examine(request, text(0));
	else if (request.kind === "call") await call(request, text(0), text(1));
	else calls.get(request.id)?.abort(new DOMException("the call was cancelled", "AbortError"));
}

async function load(request: Extract<HostRequest, { kind: "load" }>, sources: readonly (readonly [string, string])[]): Promise<void> {
	dataFolder = request.dataFolder;
	const modules = new SourceModules(request.integration, new Map(sources));
	const declared = new DeclaredTools(request.integration);
	for (const [path] of sources) {
		send({ kind: "importing" }, path);
		try {
			declared.add(path, await modules.import(path), (name) => modules.declarationOf(path, name));
		} catch (error) {
			const code = error instanceof SyntaxError ? "SYNTAX" : "IMPORT_FAILED";
			declared.problems.push({ code, message: messageOf(error), file: path, ...modules.positionOf(error) });
			break;
		}
	}
	if (declared.problems.length === 0 && declared.tools.size === 0) {
		declared.problems.push({ code: "NO_TOOLS", message: "No file exports a tool. Export what defineTool returns." });
	}
	if (declared.problems.length > 0) return send({ kind: "problems" }, JSON.stringify(declared.problems));
	for (const [method, tool] of declared.tools) tools.set(method, tool);
	send({ kind: "loaded" }, JSON.stringify([...tools.values()].map((tool) => tool.declared)));
}

async function examine({ id, method }: Extract<HostRequest, { kind: "examine" }>, json: string): Promise<void> {
	const tool = toolOf(method);
	let parsed: z.ZodSafeParseResult<unknown>;
	try {
		parsed = await tool.input.safeParseAsync(JSON.parse(json));
	} catch (error) {
		return send({ kind: "parsed", id, valid: false }, `The schema could not be applied: ${messageOf(error)}`);
	}
	if (!parsed.success) return send({ kind: "parsed", id, valid: false }, problemsOf(parsed.error));
	send({ kind: "parsed", id, valid: true }, JSON.stringify(parsed.data));
	const words = attempt(() => functionOf(tool, "describe")?.(parsed.data));
	if (typeof words === "string") send({ kind: "described", id }, words.slice(0, MESSAGE_CHARACTERS));
	else send({ kind: "described", id });
	send({ kind: "ruled", id, policy: await policyOf(tool, parsed.data) });
}

async function policyOf(tool: HostedTool, value: unknown): Promise<Extract<HostMessage, { kind: "ruled" }>["policy"]> {
	const policy = functionOf(tool, "policy");
	if (policy === undefined) return tool.declared.policy ?? "none";
	const said = attempt(() => policy(value));
	return said === "allow" || said === "ask" || said === "deny" ? said : "failed";
}

async function call(request: Extract<HostRequest, { kind: "call" }>, json: string, secretsJson: string): Promise<void> {
	const { id, method, runId, toolCallId, idempotencyKey, attempt } = request;
	const tool = toolOf(method);
	const controller = new AbortController();
	calls.set(id, controller);
	const { signal } = controller;
	const given = new Map(Object.entries<string>(JSON.parse(secretsJson)));
	const secret = (name: string): string => {
		const value = given.get(name);
		if (value === undefined) throw new Error(`${method} does not list the secret ${JSON.stringify(name)} in its secrets`);
		return value;
	};
	try {
		const http = createHttp({ signal, secret });
		const context = { signal, runId, toolCallId, idempotencyKey, attempt, dataFolder, secret, http };
		const output: unknown = await functionOf(tool, "handler")?.(JSON.parse(json), context);
		const parsed = await tool.output.safeParseAsync(output);
		if (parsed.success) send({ kind: "returned", id, outcome: "succeeded" }, jsonOf(parsed.data));
		else send({ kind: "returned", id, ...invalidOutput(tool) }, problemsOf(parsed.error));
	} catch (error) {
		send({ kind: "returned", id, ...outcomeOf(error, signal, tool) }, messageOf(error));
	} finally {
		calls.delete(id);
	}
}

/** The returned value has no JSON form, or a form that is too long. */
class NoJson extends Error {}

function jsonOf(value: unknown): string {
	let json: string | undefined;
	try {
		json = JSON.stringify(value);
	} catch (error) {
		throw new NoJson(`It returned a value that can't be converted to JSON: ${messageOf(error)}`);
	}
	if (json === undefined) throw new NoJson("It returned a value that can't be converted to JSON.");
	if (Buffer.byteLength(json) > JSON_BYTES) throw new NoJson("It returned more than 16.8 MB of JSON.");
	return json;
}

type Failure = Pick<Extract<HostMessage, { kind: "returned" }>, "outcome" | "code">;

function outcomeOf(error: unknown, signal: AbortSignal, tool: HostedTool): Failure {
	if (error instanceof NoJson) return invalidOutput(tool);
	const isUnknown = error instanceof OutcomeUnknown || (signal.aborted && !(error instanceof ToolFailed));
	return isUnknown && tool.declared.risk !== "read"
		? { outcome: "unknown", code: "OUTCOME_UNKNOWN" }
		: { outcome: "failed", code: "TOOL_FAILED" };
}

/** The handler has done its work, but what it returned cannot be used. */
function invalidOutput({ declared }: HostedTool): Failure {
	return { outcome: declared.risk === "read" ? "failed" : "unknown", code: "INVALID_OUTPUT" };
}

function toolOf(method: string): HostedTool {
	const tool = tools.get(method);
	if (tool === undefined) throw new Error(`${method} is not loaded`);
	return tool;
}

function functionOf({ definition }: HostedTool, name: "describe" | "policy" | "handler"): ((...given: unknown[]) => unknown) | undefined {
	const value = definition[name];
	return typeof value === "function" ? (...given) => Reflect.apply(value, definition, given) : undefined;
}

function attempt(work: () => unknown): unknown {
	try {
		return work();
	} catch {
		// If `describe` throws, the call has no description; if `policy` throws, the policy is "failed".
		return undefined;
	}
}

function problemsOf(error: z.ZodError): string {
	const issues = error.issues
		.slice(0, 5)
		.map(({ path, message }) => [path.map(String).join("."), message].filter((part) => part !== "").join(": "));
	return issues.join("; ").slice(0, MESSAGE_CHARACTERS);
}

function messageOf(error: unknown): string {
	const text = attempt(() => (error instanceof Error ? error.message || error.name : format("%s", error)));
	return String(text ?? "an error without a message").slice(0, MESSAGE_CHARACTERS);
}
