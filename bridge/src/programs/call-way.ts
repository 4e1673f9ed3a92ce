import { omitUndefined, type Redaction, type Sha256, type ToolCallId, type ToolId } from "@xworkmate/contracts";
import type { StandingCall } from "../ports/programs/program-log.ts";
import type { ProviderUpdate } from "../ports/runs/run-event.ts";
import type { TypedTool } from "../ports/tools/tool-hosts.ts";
import { CallFace } from "./call-face.ts";
import { CallReceipts } from "./call-receipts.ts";
import { hashedText, sha256Of } from "./input-hash.ts";
import type { Settle } from "./recorded-calls.ts";

export interface TypedCall {
	/** The call's number among all calls of the run's programs. */
	readonly call: number;
	/** `<integration>.<method>`. */
	readonly name: string;
	readonly toolId: ToolId;
	/** The current version of the tool; undefined if it no longer exists. */
	readonly tool: TypedTool | undefined;
	readonly input: unknown;
}

/** A typed call in progress, with what is needed to record and show it. */
export interface CallWay extends TypedCall {
	readonly toolCallId: ToolCallId;
	readonly inputHash: Sha256;
	readonly inputBytes: number;
	readonly receipts: CallReceipts;
	readonly face: CallFace;
	readonly settle: Settle;
}

/** Prepares a typed call. The call's receipts name the version of the tool that was requested, even if the current version is different. */
export function wayOf(
	call: TypedCall,
	toolCallId: ToolCallId,
	standing: StandingCall | undefined,
	settle: Settle,
	show: (update: Extract<ProviderUpdate, { kind: "tool_call" }>) => void,
	redaction: Redaction,
): CallWay {
	const { risk, toolHash } = standing?.requested ?? call.tool ?? {};
	const text = hashedText(call.input);
	const [inputHash, inputBytes] = [sha256Of(text), Buffer.byteLength(text)];
	const facts = { toolCallId, toolId: call.toolId, inputHash, ...omitUndefined({ risk, toolHash }) };
	return {
		...call,
		toolCallId,
		inputHash,
		inputBytes,
		receipts: new CallReceipts(facts, redaction),
		face: new CallFace(call, toolCallId, show, redaction),
		settle,
	};
}
