import { createHash } from "node:crypto";
import { canonicalJson, type RunId, type Sha256, type ToolCallId } from "@xworkmate/contracts";

/** The text that is hashed for an input or an output. */
export function hashedText(value: unknown): string {
	try {
		return canonicalJson(value);
	} catch {
		// A program may pass a lone surrogate, or no value at all. Neither has a canonical form.
		return JSON.stringify(value) ?? "";
	}
}

export function sha256Of(text: string): Sha256 {
	return createHash("sha256").update(text).digest("hex");
}

/** Makes the key that all attempts of a call share, and that no other call has. */
export function idempotencyKeyOf(runId: RunId, toolCallId: ToolCallId): string {
	return sha256Of(`xworkmate.call.v1\n${runId}\n${toolCallId}`);
}
