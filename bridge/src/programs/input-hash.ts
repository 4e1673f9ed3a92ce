import { createHash } from "node:crypto";
import { canonicalJson, type RunId, type Sha256, type ToolCallId } from "@xworkmate/contracts";

/** An input or an output as the text that its hash stands for. */
export function hashedText(value: unknown): string {
	try {
		return canonicalJson(value);
	} catch {
		// A lone surrogate, or no value at all: neither has a canonical form, and both may be passed.
		return JSON.stringify(value) ?? "";
	}
}

export function sha256Of(text: string): Sha256 {
	return createHash("sha256").update(text).digest("hex");
}

/** The same for each attempt of a call, and for no other call. */
export function idempotencyKeyOf(runId: RunId, toolCallId: ToolCallId): string {
	return sha256Of(`xworkmate.call.v1\n${runId}\n${toolCallId}`);
}
