import type { IncomingMessage } from "node:http";
import type { ChangeCursor, MethodInput, MethodName, MethodResult } from "@xworkmate/contracts";
import { BodyTooLarge, type HttpRequest, readText, sendRequest } from "@xworkmate/platform/http";
import { createJSONRPCRequest } from "json-rpc-2.0";
import { nanoid } from "nanoid";
import type { BridgeEndpoint } from "./bridge-endpoint.ts";
import { BridgeTransportError, closed, fromNetwork, httpStatus, unreadable } from "./wire/bridge-errors.ts";
import { type ChangeItem, decodeChanges } from "./wire/change-item.ts";
import { type ClientBounds, clientBounds } from "./wire/client-bounds.ts";
import { readEvents } from "./wire/event-reader.ts";
import { decodePlanItems, type PlanItem } from "./wire/plan-item.ts";
import { decodeAnswer, errorBody, refusalOf } from "./wire/rpc-answer.ts";
import { decodeBatch, type StreamItem, type StreamMethod } from "./wire/stream-item.ts";
import { decodeVerification, type VerificationItem } from "./wire/verification-item.ts";

/** The size of the largest JSON response that is read, in bytes. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const NOT_IN_TIME = "The bridge did not respond in time.";
/**
 * Methods that are not repeated, because the second call would return a different result: other counts, or that the change was already made
 * or that there was nothing to change. A repeated `plans.cancel` could also cancel an occurrence that has become due since, and a repeated
 * `agents.signIn` could start a second sign-in.
 */
const notRepeated: ReadonlySet<MethodName> = new Set([
	"xworkmate.threads.delete",
	"xworkmate.tools.add",
	"xworkmate.tools.new",
	"xworkmate.plans.update",
	"xworkmate.plans.review",
	"xworkmate.plans.settle",
	"xworkmate.plans.cancel",
	"xworkmate.agents.cancel",
	"xworkmate.agents.remove",
	"xworkmate.agents.signIn",
	"xworkmate.auth.remove",
	"xworkmate.contacts.remove",
	"xworkmate.edits.apply",
	"xworkmate.edits.discard",
	"xworkmate.edits.commit",
]);
/**
 * Extra time, in milliseconds, for calls that are slow because they use another server, a program or a repository, so that the bridge's own
 * limit is reached first.
 */
const longerMs: ReadonlyMap<MethodName, number> = new Map([
	["xworkmate.channels.test", 10_000],
	["xworkmate.agents.test", 10_000],
	["xworkmate.agents.check", 10_000],
	["xworkmate.agents.cancel", 10_000],
	["xworkmate.plans.extract", 120_000],
	["xworkmate.edits.list", 120_000],
	["xworkmate.edits.diff", 120_000],
	["xworkmate.edits.apply", 300_000],
	["xworkmate.edits.discard", 300_000],
	["xworkmate.edits.commit", 300_000],
]);

export interface StreamOptions {
	readonly signal: AbortSignal;
	/** Resumes after this seq. */
	readonly lastEventId?: number;
}

/**
 * Typed calls of `POST /acp/rpc` (docs/protocol.md#transport). The endpoint is looked up for every call, because a restarted bridge may
 * listen elsewhere.
 */
export class BridgeClient {
	readonly #endpoint: () => Promise<BridgeEndpoint>;
	readonly #bounds: ClientBounds;
	readonly #heard: (answered: boolean) => void;

	/** @param heard receives whether a bridge answered (any status below 500); not called if the call was aborted or timed out */
	constructor(endpoint: () => Promise<BridgeEndpoint>, bounds: ClientBounds = clientBounds, heard: (answered: boolean) => void = () => {}) {
		this.#endpoint = endpoint;
		this.#bounds = bounds;
		this.#heard = heard;
	}

	/**
	 * Makes a call that is answered with JSON. Unless the method must not be repeated, the call is retried once if its connection was closed,
	 * as when a bridge restarts, or if it timed out. Each attempt may take `callMs`, or longer for a slow method.
	 * @throws ContractError, BridgeTransportError, AppError (no bridge found)
	 */
	async call<M extends MethodName>(method: M, params: MethodInput<M>, signal?: AbortSignal): Promise<MethodResult<M>> {
		try {
			return await this.#callOnce(method, params, signal);
		} catch (error) {
			const dropped = error instanceof BridgeTransportError && error.code === "ACP_HTTP_CONNECTION_CLOSED";
			if (!dropped || signal?.aborted || notRepeated.has(method)) throw error;
			return await this.#callOnce(method, params, signal);
		}
	}

	/**
	 * Makes a call that is answered with a stream; the last item is the answer. Throws if the stream ends without it.
	 * @throws ContractError, BridgeTransportError (ACP_HTTP_CONNECTION_CLOSED: closed without the answer, even cleanly), AppError
	 */
	async *stream<M extends StreamMethod>(
		method: M,
		params: MethodInput<M>,
		{ signal, lastEventId }: StreamOptions,
	): AsyncGenerator<readonly StreamItem[]> {
		const id = nanoid();
		const response = await this.#open(method, id, params, lastEventId && String(lastEventId), signal);
		if (!isEventStream(response)) {
			yield [{ type: "answer", snapshot: decodeAnswer<StreamMethod>(method, id, await readJson(response)) }];
			return;
		}
		for await (const events of readEvents(response, this.#bounds.idleMs)) {
			const { items, error } = decodeBatch(method, id, events);
			yield items;
			if (error !== undefined) throw error;
			if (items.at(-1)?.type === "answer") return;
		}
		throw closed("The connection to the bridge was closed before the run ended.");
	}

	/**
	 * Streams the bridge's changes after a cursor. If the bridge serves changes, the first batch is empty. Ends only by throwing.
	 * @throws ContractError (METHOD_NOT_FOUND: an older bridge), BridgeTransportError, AppError
	 */
	async *changes(after: ChangeCursor | undefined, signal: AbortSignal): AsyncGenerator<readonly ChangeItem[]> {
		const response = await this.#open("xworkmate.changes.subscribe", nanoid(), after === undefined ? {} : { after }, undefined, signal);
		if (!isEventStream(response)) throw refusalOf(await readJson(response));
		yield [];
		for await (const events of readEvents(response, this.#bounds.idleMs)) yield decodeChanges(events);
		throw closed("The connection to the bridge was closed.");
	}

	/**
	 * Streams what happens to all plans after a feedSeq. The first batch is empty. Ends only by throwing.
	 * @throws ContractError (SEQ_AHEAD: the feedSeq is from another bridge), BridgeTransportError, AppError
	 */
	async *plans(query: { readonly afterFeedSeq: number }, signal: AbortSignal): AsyncGenerator<readonly PlanItem[]> {
		const response = await this.#open("xworkmate.plans.subscribe", nanoid(), query, undefined, signal);
		if (!isEventStream(response)) throw refusalOf(await readJson(response));
		yield [];
		for await (const events of readEvents(response, this.#bounds.idleMs)) yield decodePlanItems(events);
		throw closed("The connection to the bridge was closed.");
	}

	/**
	 * Verifies receipts; the last item is the result. Aborting the signal ends the verification.
	 * @throws ContractError, BridgeTransportError, AppError
	 */
	async *verify(query: MethodInput<"xworkmate.receipts.verify">, signal: AbortSignal): AsyncGenerator<VerificationItem> {
		const id = nanoid();
		const response = await this.#open("xworkmate.receipts.verify", id, query, undefined, signal);
		if (!isEventStream(response)) {
			yield { type: "ended", result: decodeAnswer("xworkmate.receipts.verify", id, await readJson(response)) };
			return;
		}
		for await (const events of readEvents(response, this.#bounds.idleMs)) {
			for (const event of events) {
				const item = decodeVerification(id, event);
				if (item !== undefined) yield item;
				if (item?.type === "ended") return;
			}
		}
		throw closed("The connection to the bridge was closed before the receipts were verified.");
	}

	/** Requests a stream. The time limit covers the wait for the headers; from then on the idle watchdog applies. */
	async #open(
		method: string,
		id: string,
		params: unknown,
		lastEventId: string | 0 | undefined,
		signal: AbortSignal,
	): Promise<IncomingMessage> {
		const headers = { accept: "text/event-stream, application/json", ...(lastEventId && { "last-event-id": lastEventId }) };
		const opening = new AbortController();
		const timer = setTimeout(() => opening.abort(closed(NOT_IN_TIME)), this.#bounds.callMs);
		const response = this.#request(method, id, params, { headers, signal: AbortSignal.any([signal, opening.signal]) });
		return await response.finally(() => clearTimeout(timer));
	}

	async #callOnce<M extends MethodName>(method: M, params: MethodInput<M>, signal?: AbortSignal): Promise<MethodResult<M>> {
		const id = nanoid();
		const bound = AbortSignal.timeout(this.#bounds.callMs + (longerMs.get(method) ?? 0));
		const both = signal ? AbortSignal.any([signal, bound]) : bound;
		const headers = { accept: "application/json" };
		const read = this.#request(method, id, params, { headers, signal: both, keepAlive: true }).then(readJson);
		const answer = await read.catch((error: unknown) => {
			const isCut = error instanceof BridgeTransportError && error.code === "ACP_HTTP_CONNECTION_CLOSED";
			// This call closed the connection, not the bridge.
			throw isCut && bound.aborted && signal?.aborted !== true ? closed(NOT_IN_TIME, error) : error;
		});
		return decodeAnswer(method, id, answer);
	}

	/**
	 * Makes one `POST /acp/rpc` and returns its response, whose status is 200.
	 * @throws BridgeTransportError, AppError
	 */
	async #request(
		method: string,
		id: string,
		params: unknown,
		{ headers, signal, ...how }: HttpRequest & { readonly signal: AbortSignal },
	): Promise<IncomingMessage> {
		let response: IncomingMessage;
		try {
			const { url, token } = await this.#endpoint();
			response = await sendRequest(new URL("/acp/rpc", url), {
				...how,
				method: "POST",
				body: JSON.stringify(createJSONRPCRequest(id, method, params)),
				headers: { ...headers, "content-type": "application/json", authorization: `Bearer ${token}` },
				signal,
			}).catch((error: unknown) => {
				throw fromNetwork(error);
			});
		} catch (error) {
			// A call that was aborted or timed out is not counted.
			if (!signal.aborted) this.#heard(false);
			throw error;
		}
		const status = response.statusCode ?? 0;
		// A proxy in front of a bridge that is down answers 502 or similar.
		this.#heard(status < 500);
		if (status === 200) return response;
		const body = errorBody(await readJson(response).catch(() => undefined));
		throw httpStatus(status, body?.message ?? `The bridge answered with HTTP status ${status}.`, body?.code);
	}
}

function isEventStream(response: IncomingMessage): boolean {
	return response.headers["content-type"]?.startsWith("text/event-stream") ?? false;
}

async function readJson(response: IncomingMessage): Promise<unknown> {
	const text = await readText(response, MAX_ANSWER_BYTES).catch((error: unknown) => {
		throw error instanceof BodyTooLarge ? unreadable("it is too large") : fromNetwork(error);
	});
	try {
		return JSON.parse(text);
	} catch (error) {
		throw unreadable("it is not JSON", error);
	}
}
