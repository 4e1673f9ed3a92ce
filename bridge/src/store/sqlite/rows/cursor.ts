import { createHash } from "node:crypto";
import { ContractError } from "@xworkmate/contracts";

/** The list and the filter that a cursor is bound to. */
export type CursorBinding = readonly (string | null)[];

/** An opaque position in a list: base64url of the last row's key, and a checksum of the key and the binding. */
export function encodeCursor(binding: CursorBinding, key: number): string {
	return Buffer.from(`${key}.${checksum(binding, key)}`).toString("base64url");
}

/**
 * The key of the last row shown.
 *
 * @throws ContractError INVALID_PARAMS for a cursor that is damaged or belongs to another list
 */
export function decodeCursor(binding: CursorBinding, cursor: string): number {
	const key = Number(/^(\d{1,15})\./.exec(Buffer.from(cursor, "base64url").toString("latin1"))?.[1]);
	// Encoding again also refuses the many spellings that the lenient decoder accepts.
	if (Number.isSafeInteger(key) && encodeCursor(binding, key) === cursor) return key;
	throw new ContractError("INVALID_PARAMS", {
		detail: "The cursor is damaged or belongs to another list.",
		fix: "Send the nextCursor of the same list with the same filter, or none to start at the beginning.",
	});
}

function checksum(binding: CursorBinding, key: number): string {
	return createHash("sha256")
		.update(JSON.stringify([...binding, key]))
		.digest("hex")
		.slice(0, 16);
}
