import { ToolCallId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { decodeToolCall } from "../../../src/providers/acp/protocol/decode-tool.ts";
import { UpdateTranslator } from "../../../src/providers/update-translator.ts";
import { AcpBench } from "./support/acp-bench.ts";

const toolCallId = ToolCallId.parse("c1");
const call = { title: "rm -rf build", kind: "execute", rawInput: { command: "rm -rf build" } };

function shows(...texts: readonly string[]) {
	return { content: texts.map((text) => ({ type: "content", content: { type: "text", text } })) };
}

/** What is said of a call that was denied, after each of these reports. */
function afterDenial(asked: object, ...reports: readonly object[]) {
	const translator = new UpdateTranslator();
	const see = (wire: object) => {
		const change = decodeToolCall({ toolCallId, ...wire });
		if (change === undefined) throw new Error("not a call");
		return translator.tool(change);
	};
	see({ ...call, ...asked });
	translator.asks(toolCallId);
	translator.denied(toolCallId);
	return reports.flatMap(see).map((update) => (update.kind === "tool_call" ? [update.state, update.unpermitted] : []));
}

const begun = { status: "in_progress" };
const anyway = ["denied", "denied"];

it("a denied call that its agent reports as running, with new output, is reported against the denial, and stays that", () => {
	expect(afterDenial({}, { ...begun, ...shows("removing build/a") })).toEqual([anyway]);
	expect(afterDenial({}, { ...begun, rawOutput: "removing build/a" })).toEqual([anyway]);
	expect(afterDenial(shows("Removes build"), { ...begun, ...shows("Removes build", "removing build/a") })).toEqual([anyway]);
	const failed = { status: "failed", ...shows("stopped") };
	expect(afterDenial({}, begun, { ...begun, ...shows("removing build/a") }, failed).slice(-2)).toEqual([anyway, anyway]);
});

it.each([
	["is only reported as running", {}, [begun]],
	["repeats what it showed before", shows("Removes build"), [{ ...begun, ...shows("Removes build") }]],
	["repeats its output", { rawOutput: "Removes build" }, [{ ...begun, rawOutput: "Removes build" }]],
	["shows nothing", {}, [{ ...begun, rawOutput: " " }]],
	["shows the change that was denied", {}, [{ ...begun, content: [{ type: "diff", path: "a", newText: "x" }] }]],
	["is reported as failed, with a reason", {}, [begun, { status: "failed", ...shows("The user denied it") }]],
	["gets a reason alone", {}, [begun, shows("The user denied it")]],
] as const)("one that %s, which may have crossed the answer, is only denied", (_, asked, reports) => {
	for (const said of afterDenial(asked, ...reports)) expect(said).toEqual(["denied", undefined]);
});

it("an agent that goes on with a denied call is caught in its turn, though it never says that the call is done", async () => {
	await using bench = await AcpBench.open();
	const goesOn = JSON.stringify({ sessionUpdate: "tool_call_update", toolCallId: "ask-ls", ...begun, ...shows("removing build/a") });
	const { sink, outcome } = await bench.begin(`UNRULY:ASK ls ;; UPDATE ${goesOn}`);
	sink.answering = async () => ({ decision: "deny" });
	await outcome;
	expect(sink.of("tool_call").at(-1)).toMatchObject({ state: "denied", unpermitted: "denied", output: { text: "removing build/a" } });
});
