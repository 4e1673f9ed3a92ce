import type { AnyMessage } from "@agentclientprotocol/sdk";

/** Parses a line as a JSON-RPC 2.0 message. Undefined for anything else, such as a blank line. */
export function parseMessage(line: Buffer): AnyMessage | undefined {
	let value: unknown;
	try {
		value = JSON.parse(line.toString("utf8"));
	} catch {
		return undefined;
	}
	return isMessage(value) ? value : undefined;
}

function isMessage(value: unknown): value is AnyMessage {
	if (typeof value !== "object" || value === null || !("jsonrpc" in value) || value.jsonrpc !== "2.0") return false;
	const hasId = "id" in value && (typeof value.id === "string" || typeof value.id === "number");
	if ("method" in value) return typeof value.method === "string" && (hasId || !("id" in value));
	if (!hasId) return false;
	if ("error" in value) return isErrorObject(value.error) && !("result" in value);
	return "result" in value;
}

function isErrorObject(value: unknown): boolean {
	return (
		typeof value === "object" &&
		value !== null &&
		"code" in value &&
		typeof value.code === "number" &&
		"message" in value &&
		typeof value.message === "string"
	);
}
