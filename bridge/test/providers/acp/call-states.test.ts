import { expect, it } from "vitest";
import { decodeUpdate } from "../../../src/providers/acp/protocol/decode-update.ts";
import { UpdateTranslator } from "../../../src/providers/update-translator.ts";

it.each([
	[{ exitCode: 1 }, "failed"],
	[{ exit_code: 2, stdout: "" }, "failed"],
	[{ output: "", metadata: { exit: 127 } }, "failed"],
	[{ exitCode: 0 }, "completed"],
	[{ exitCode: null }, "completed"],
	["exit 1", "completed"],
] as const)("a call that is reported as completed with the output %j is %s", (rawOutput, state) => {
	const update = { sessionUpdate: "tool_call_update", toolCallId: "1", status: "completed", rawOutput };
	expect(decodeUpdate({ sessionId: "s", update }).update).toMatchObject({ kind: "tool", change: { state } });
});

it.each([
	[["completed", "in_progress"], "completed"],
	[["completed", "failed"], "failed"],
	[["failed", "completed"], "failed"],
	[["failed", "pending"], "failed"],
] as const)("a call that is reported as %j is shown as %s", (statuses, state) => {
	const translator = new UpdateTranslator();
	const shown = statuses.flatMap((status) => {
		const update = { sessionUpdate: "tool_call_update", toolCallId: "1", title: "A call", status };
		return translator.translate(decodeUpdate({ sessionId: "s", update }).update);
	});
	expect(shown.at(-1)).toMatchObject({ state });
});
