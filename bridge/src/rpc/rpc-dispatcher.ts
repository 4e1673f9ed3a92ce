import { ContractError, isMethodName, type MethodName, type MethodParams, methods } from "@xworkmate/contracts";
import {
	createJSONRPCErrorResponse,
	createJSONRPCSuccessResponse,
	type JSONRPCErrorResponse,
	type JSONRPCID,
	type JSONRPCRequest,
	type JSONRPCResponse,
} from "json-rpc-2.0";
import { type Envelope, readEnvelope } from "./envelope.ts";
import type { CallMethod, CallTable, MethodTable, StreamTable } from "./method-table.ts";
import { isOwnFailure, normalizeError } from "./normalize-error.ts";
import { parseParams } from "./parse-params.ts";
import { isStreamMethod, type StreamMethod, type StreamOpening, type StreamReader } from "./stream-opening.ts";

/** Answers JSON-RPC messages from the method table. */
export interface RpcDispatcher {
	/**
	 * Answers one message; undefined for a notification, unless it is refused. `whenGone` returns a signal that aborts when the caller
	 * disconnects.
	 */
	answer(envelope: Envelope, whenGone?: () => AbortSignal): Promise<JSONRPCResponse | undefined>;
	/** Answers a batch in order. An item that has no answer is left out. */
	answerBatch(messages: readonly unknown[], whenGone?: () => AbortSignal): Promise<JSONRPCResponse[]>;
	/**
	 * Runs the part of a streaming method that precedes its first event.
	 * @throws ContractError for a refusal; a failure of the bridge itself is thrown as it is
	 */
	openStream<M extends StreamMethod>(method: M, params: unknown, reader: StreamReader): Promise<StreamOpening<M>>;
}

/**
 * `onInternal` is called with every failure of the bridge itself that is reported in an answer. Failures of `openStream` are thrown
 * instead.
 */
export function createRpcDispatcher(table: MethodTable, onInternal: (error: ContractError) => void): RpcDispatcher {
	async function respond(id: JSONRPCID, { method, params }: JSONRPCRequest, whenGone?: () => AbortSignal): Promise<JSONRPCResponse> {
		try {
			if (isMethodName(method)) return createJSONRPCSuccessResponse(id, await call(table, method, params, whenGone));
			throw new ContractError("METHOD_NOT_FOUND", { detail: `There is no method ${JSON.stringify(method.slice(0, 100))}.` });
		} catch (thrown) {
			const error = normalizeError(thrown);
			if (isOwnFailure(error)) onInternal(error);
			return errorResponse(id, error);
		}
	}

	async function answer(envelope: Envelope, whenGone?: () => AbortSignal): Promise<JSONRPCResponse | undefined> {
		switch (envelope.kind) {
			case "invalid":
				return errorResponse(envelope.id, envelope.error);
			case "notification":
				return refusedNotification(envelope.method);
			case "request":
				return respond(envelope.id, envelope.request, whenGone);
		}
	}

	async function answerBatch(messages: readonly unknown[], whenGone?: () => AbortSignal): Promise<JSONRPCResponse[]> {
		const responses: JSONRPCResponse[] = [];
		for (const message of messages) {
			const response = await answer(readEnvelope(message), whenGone);
			if (response !== undefined) responses.push(response);
		}
		return responses;
	}

	return { answer, answerBatch, openStream: (method, params, reader) => open(table, method, params, reader) };
}

/** The JSON-RPC response that carries an error. */
export function errorResponse(id: JSONRPCID, error: ContractError): JSONRPCErrorResponse {
	const { code, message, data } = error.toWire();
	return createJSONRPCErrorResponse(id, code, message, data);
}

// Async, so that invalid params reject like every other refusal.
async function call(table: MethodTable, method: MethodName, params: unknown, whenGone?: () => AbortSignal): Promise<unknown> {
	if (isStreamMethod(method)) return (await open(table, method, params)).answer(whenGone);
	return callOnce(table, method, params, whenGone);
}

function callOnce<M extends CallMethod>(table: CallTable, method: M, params: unknown, whenGone?: () => AbortSignal): Promise<unknown> {
	const handler: (params: MethodParams<M>, whenGone?: () => AbortSignal) => Promise<unknown> = table[method];
	return handler(parseParams(method, params), whenGone);
}

async function open<M extends StreamMethod>(
	table: StreamTable,
	method: M,
	params: unknown,
	reader?: StreamReader,
): Promise<StreamOpening<M>> {
	const handler: (params: MethodParams<M>, reader?: StreamReader) => Promise<StreamOpening<M>> = table[method];
	return handler(parseParams(method, params), reader);
}

/** Refuses a notification of a method with effects, because a notification has no answer in which their outcome could be reported. */
function refusedNotification(method: string): JSONRPCResponse | undefined {
	if (!isMethodName(method) || !methods[method].effects) return undefined;
	return errorResponse(null, new ContractError("INVALID_REQUEST", { detail: `${method} changes something, so the request needs an id.` }));
}
