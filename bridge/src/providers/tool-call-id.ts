import { createHash } from "node:crypto";
import { MAX_ID_LENGTH, type ToolCallId } from "@xworkmate/contracts";

/** Replaces an id that is longer than the contract allows by its hash, so that two long ids stay distinct. */
export function toolCallIdOf(id: string): ToolCallId {
	return id.length <= MAX_ID_LENGTH ? id : `sha256:${createHash("sha256").update(id).digest("hex")}`;
}
