import { createHash } from "node:crypto";
import { limits, type OpenClawApproval, omitUndefined } from "@xworkmate/contracts";
import { cutText } from "../platform/cut-text.ts";
import type { RunRecord } from "../runs/run-record.ts";
import { toolKindOf } from "../tools/classify-call.ts";
import { type HeldToolCall, textParam } from "../tools/tool-call.ts";
import { namedPath } from "../tools/tool-path.ts";
import { writtenPaths } from "../tools/written-paths.ts";

const MAX_TITLE_BYTES = 300;
/**
 * The gateway limits strings in an event to 64 Ki characters. A command longer than half of that is left out, so no rule matches it; title
 * and input show its beginning.
 */
const MAX_COMMAND_CHARACTERS = 32 * 1024;

/** Params that change what a command line does, so no rule for the line may allow a call that has one of them. */
const ELSEWHERE: ReadonlySet<string> = new Set(["env", "elevated", "host", "node", "workdir"]);

/** The question that a held call asks the user. */
export function describeCall(call: HeldToolCall, record: RunRecord, id: string, now: number): OpenClawApproval {
	const input = JSON.stringify(sortKeys(call.params));
	const { text, truncated } = cutText(input, limits.previewBytes);
	const command = call.toolName === "exec" ? textParam(call, "command") : undefined;
	const isPlain =
		command !== undefined && command.length <= MAX_COMMAND_CHARACTERS && !Object.keys(call.params).some((key) => ELSEWHERE.has(key));
	return {
		id,
		runId: record.runId,
		sessionKey: record.sessionKey,
		...omitUndefined({ toolCallId: call.toolCallId }),
		title: cutText(titleOf(call, command), MAX_TITLE_BYTES).text,
		toolKind: toolKindOf(call.toolName),
		input: { text, truncated },
		inputHash: createHash("sha256").update(call.toolName).update("\0").update(input).digest("hex"),
		...(isPlain && { command }),
		requestedAt: new Date(now).toISOString(),
	};
}

function titleOf(call: HeldToolCall, command: string | undefined): string {
	const named = ["url", "action", "sessionKey", "query"].map((name) => textParam(call, name));
	const what = command ?? writtenPaths(call)?.join(", ") ?? namedPath(call) ?? named.find((text) => text !== undefined) ?? "";
	return `${call.toolName} ${what}`.trim();
}

/** Makes the order of keys irrelevant when inputs are compared. */
function sortKeys(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sortKeys);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([key, inner]) => [key, sortKeys(inner)]),
	);
}
