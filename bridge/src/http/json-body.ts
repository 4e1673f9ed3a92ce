import { ContractError, limits } from "@xworkmate/contracts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * A JSON body in UTF-8. The depth is looked at first: a body of brackets alone would cost a
 * hundred times its size once parsed.
 * @throws ContractError PARSE_ERROR, INVALID_REQUEST (deeper than `limits.bodyDepth`)
 */
export function parseJsonBody(body: Uint8Array): unknown {
	if (isDeeperThan(body, limits.bodyDepth)) {
		throw new ContractError("INVALID_REQUEST", { detail: `the body is nested more than ${limits.bodyDepth} deep` });
	}
	try {
		return JSON.parse(decoder.decode(body));
	} catch {
		// The reason would quote the body, which may hold a prompt.
		throw new ContractError("PARSE_ERROR");
	}
}

function isDeeperThan(body: Uint8Array, limit: number): boolean {
	let depth = 0;
	for (let index = 0; index < body.length; index++) {
		const byte = body[index];
		if (byte === QUOTE) index = endOfString(body, index + 1);
		else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
			if (++depth > limit) return true;
		} else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
	}
	return false;
}

/** Index of the closing quote, or the end of the body. */
function endOfString(body: Uint8Array, start: number): number {
	let index = start;
	while (index < body.length && body[index] !== QUOTE) index += body[index] === BACKSLASH ? 2 : 1;
	return index;
}
