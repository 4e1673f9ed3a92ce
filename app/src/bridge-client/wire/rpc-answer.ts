import { ContractError, ErrorCode, errorCatalogue, type MethodName, type MethodResult, methods } from "@xworkmate/contracts";
import { z } from "zod";
import { unreadable } from "./bridge-errors.ts";

const RpcError = z.looseObject({
	message: z.string(),
	data: z.looseObject({ code: z.string(), detail: z.string().optional(), fix: z.string().optional() }).optional(),
});

const RpcAnswer = z.looseObject({
	jsonrpc: z.literal("2.0"),
	id: z.union([z.string(), z.number(), z.null()]),
	result: z.unknown().optional(),
	error: RpcError.optional(),
});

/** The contract's code and the message of a JSON-RPC error, if the body is one. */
export function errorBody(payload: unknown): { readonly code?: ErrorCode; readonly message: string } | undefined {
	const answer = RpcAnswer.safeParse(payload);
	if (!answer.success || answer.data.error === undefined) return undefined;
	const { message, data } = answer.data.error;
	const code = ErrorCode.safeParse(data?.code);
	return { message, ...(code.success && { code: code.data }) };
}

/**
 * The result of a JSON-RPC answer, decoded by the method's schema.
 * @throws ContractError for an error of the bridge
 * @throws BridgeTransportError ACP_HTTP_200 if the answer cannot be read, which includes an unknown status
 */
export function decodeAnswer<M extends MethodName>(method: M, id: string, payload: unknown): MethodResult<M> {
	const answer = RpcAnswer.safeParse(payload);
	if (!answer.success) throw unreadable("it is not a JSON-RPC response", answer.error);
	const { error, result } = answer.data;
	if (error !== undefined) throw contractError(error);
	if (answer.data.id !== id) throw unreadable("it belongs to another request");
	return decodeResult(method, result);
}

/** The error for a response that is not a stream although one was requested, or for an event of a stream that is not a notification. */
export function refusalOf(payload: unknown): Error {
	const answer = RpcAnswer.safeParse(payload);
	if (answer.success && answer.data.error !== undefined) return contractError(answer.data.error);
	return unreadable("it is not a stream of notifications");
}

function decodeResult<M extends MethodName>(method: M, result: unknown): MethodResult<M> {
	const decoded = methods[method].result.safeParse(result);
	if (!decoded.success) throw unreadable(`the result of ${method} does not have the expected form`, decoded.error);
	// For an indexed schema, zod infers the union of all results; the value was parsed by the method's own schema.
	return decoded.data as MethodResult<M>;
}

function contractError({ message, data }: z.infer<typeof RpcError>): Error {
	const code = ErrorCode.safeParse(data?.code);
	if (!code.success) return unreadable(`an error with an unknown code: ${message}`);
	const detail = data?.detail ?? (message === errorCatalogue[code.data].meaning ? undefined : message);
	return new ContractError(code.data, { ...(detail && { detail }), ...(data?.fix && { fix: data.fix }) });
}
