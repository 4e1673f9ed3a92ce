import { isAscii } from "node:buffer";
import { ContractError, formatBytes, limits } from "@xworkmate/contracts";
import { measureJson } from "../../json/measure-json.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

const OUT_OF_BOUNDS = {
	deep: `The body is nested more than ${limits.bodyDepth} levels deep.`,
	many: `The body has more than ${limits.bodyMembers} object entries and array elements. Long keys and many escapes add to this count.`,
};
const TOO_LONG = `A string in the body is longer than ${formatBytes(limits.bodyStringBytes)}.`;

/**
 * Parses a JSON body in UTF-8, within the limits on its depth, its members and its strings.
 * @throws ContractError PARSE_ERROR, INVALID_REQUEST (over `limits.bodyDepth` or `limits.bodyMembers`), PAYLOAD_TOO_LARGE (a string over
 * `limits.bodyStringBytes`)
 */
export function parseJsonBody(body: Uint8Array): unknown {
	const excess = measureJson(body, { depth: limits.bodyDepth, members: limits.bodyMembers, stringBytes: limits.bodyStringBytes });
	if (excess === "long") throw new ContractError("PAYLOAD_TOO_LARGE", { detail: TOO_LONG });
	if (excess !== undefined) throw new ContractError("INVALID_REQUEST", { detail: OUT_OF_BOUNDS[excess] });
	try {
		return JSON.parse(textOf(body));
	} catch {
		// The parser's message would quote the body, which may contain a prompt.
		throw new ContractError("PARSE_ERROR");
	}
}

/** Decodes a body. Most bodies are ASCII. Without the decoder, 40 MB of ASCII keep other requests waiting only a quarter as long. */
function textOf(body: Uint8Array): string {
	return isAscii(body) ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1") : decoder.decode(body);
}
