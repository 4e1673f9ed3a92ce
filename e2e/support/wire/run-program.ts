import type { IncomingMessage } from "node:http";
import { within } from "../machine/wait-until.ts";
import type { BareClient } from "./bare-client.ts";
import { turn } from "./turn.ts";
import { type Refusal, RpcResponse, TaskSnapshot } from "./wire.ts";

export type ProgramEnd =
	| { readonly kind: "snapshot"; readonly snapshot: TaskSnapshot; readonly ms: number }
	/** Refused before it was a run. */
	| { readonly kind: "refused"; readonly refusal: Refusal; readonly status: number; readonly ms: number };

export interface ProgramOptions {
	readonly boundMs?: number;
	readonly threadId?: string;
	/** The provider of the run; by default `script`. */
	readonly providerId?: string;
}

const BOUND_MS = 60_000;
/** More than the longest snapshot. */
const TAIL_BYTES = 8 * 2 ** 20;
const MAX_DROPS = 100;

/**
 * Runs a program of the `script` provider to its end. Of the stream only the last 8 MiB are kept, so that a program with a hundred thousand
 * updates costs the reader little.
 */
export async function runProgram(client: BareClient, prompt: string, options: ProgramOptions = {}): Promise<ProgramEnd> {
	const { boundMs = BOUND_MS, threadId, providerId = "script" } = options;
	const params = turn({ prompt, providerId, ...(threadId === undefined ? {} : { threadId }) });
	const start = performance.now();
	const end = await within(`the end of ${prompt.slice(0, 100)}`, boundMs, untilEnd(client, params, boundMs));
	return { ...end, ms: performance.now() - start };
}

type End = { kind: "snapshot"; snapshot: TaskSnapshot } | { kind: "refused"; refusal: Refusal; status: number };

async function untilEnd(client: BareClient, params: Record<string, unknown>, boundMs: number): Promise<End> {
	let response = await post(client, "session.start", params, boundMs);
	let lastEventId = "0";
	for (let drops = 0; drops < MAX_DROPS; drops++) {
		const status = response.statusCode ?? 0;
		const isStream = response.headers["content-type"]?.startsWith("text/event-stream") === true;
		const tail = await tailOf(response);
		const data = isStream ? /(?:^|\n)data: ([^\n]*)\n*$/.exec(tail)?.[1] : tail;
		const answer = data === undefined ? undefined : answerIn(data);
		if (answer?.error !== undefined) return { kind: "refused", refusal: answer.error, status };
		if (answer !== undefined) return { kind: "snapshot", snapshot: TaskSnapshot.parse(answer.result) };
		lastEventId = [...tail.matchAll(/(?:^|\n)id: (\d+)\n/g)].at(-1)?.[1] ?? lastEventId;
		const runId = await runIdOf(client, params);
		response = await post(client, "xworkmate.tasks.subscribe", { runId }, boundMs, lastEventId);
	}
	throw new Error(`the stream was dropped ${MAX_DROPS} times`);
}

/** The response to the request, or undefined for an update or half an event. */
function answerIn(data: string) {
	try {
		const message: unknown = JSON.parse(data);
		if (typeof message === "object" && message !== null && "method" in message) return undefined;
		return RpcResponse.parse(message);
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}

async function runIdOf(client: BareClient, { threadId, turnId }: Record<string, unknown>): Promise<string> {
	return (await client.snapshot({ threadId: String(threadId), turnId: String(turnId) })).runId;
}

function post(
	client: BareClient,
	method: string,
	params: Record<string, unknown>,
	boundMs: number,
	lastEventId?: string,
): Promise<IncomingMessage> {
	const headers = {
		accept: "application/json, text/event-stream",
		...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
	};
	const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
	return client.respond({ method: "POST", path: "/acp/rpc", headers, body }, boundMs);
}

async function tailOf(response: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	try {
		for await (const chunk of response) {
			chunks.push(Buffer.from(chunk));
			bytes += chunk.length;
			while (bytes - (chunks[0]?.length ?? 0) > TAIL_BYTES) bytes -= chunks.shift()?.length ?? 0;
		}
	} catch {
		// A dropped connection: what came before it says where to resume.
	}
	return Buffer.concat(chunks).toString("utf8");
}
