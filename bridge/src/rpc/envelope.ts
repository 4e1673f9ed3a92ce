import { ContractError, MAX_ID_LENGTH } from "@xworkmate/contracts";
import { isJSONRPCID, isJSONRPCRequest, type JSONRPCID, type JSONRPCRequest } from "json-rpc-2.0";

/** One message of the body, classified. */
export type Envelope =
	| { readonly kind: "request"; readonly id: JSONRPCID; readonly request: JSONRPCRequest }
	| { readonly kind: "notification"; readonly method: string }
	| { readonly kind: "invalid"; readonly id: JSONRPCID; readonly error: ContractError };

/** Reads one JSON-RPC 2.0 message. Never throws. */
export function readEnvelope(message: unknown): Envelope {
	if (typeof message !== "object" || message === null || Array.isArray(message)) return invalid(null, "a request must be an object");
	const hasId = Object.hasOwn(message, "id");
	const given: unknown = hasId && "id" in message ? message.id : undefined;
	const id = isJSONRPCID(given) ? given : null;
	if (!isJSONRPCRequest(message)) return invalid(id, 'a request must have "jsonrpc":"2.0" and a method');
	if (typeof message.method !== "string") return invalid(id, "method must be a string");
	if (hasId && !isJSONRPCID(given)) return invalid(null, "id must be a string, a number or null");
	if (typeof id === "string" && id.length > MAX_ID_LENGTH) return invalid(null, `id must be at most ${MAX_ID_LENGTH} characters`);
	const { params } = message;
	if (params !== undefined && (typeof params !== "object" || params === null)) return invalid(id, "params must be an object");
	return hasId ? { kind: "request", id, request: message } : { kind: "notification", method: message.method };
}

function invalid(id: JSONRPCID, detail: string): Envelope {
	return { kind: "invalid", id, error: new ContractError("INVALID_REQUEST", { detail }) };
}
