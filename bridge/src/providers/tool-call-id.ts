import { createHash } from "node:crypto";
import { MAX_ID_LENGTH, type ToolCallId } from "@xworkmate/contracts";

/** An id longer than the contract allows is replaced by its hash: two long ids stay two. */
export function toolCallIdOf(id: string): ToolCallId {
	return id.length <= MAX_ID_LENGTH ? id : `sha256:${createHash("sha256").update(id).digest("hex")}`;
}
