import { ToolCallId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { ToolCallChange } from "../../../src/providers/agent-update.ts";
import { UpdateTranslator } from "../../../src/providers/update-translator.ts";
import { AcpBench } from "./support/acp-bench.ts";

const [asked, other, third] = ["c1", "c2", "c3"].map((id) => ToolCallId.parse(id));
if (asked === undefined || other === undefined || third === undefined) throw new Error("no ids");

function run(command: string): Omit<ToolCallChange, "toolCallId"> {
	const whole = JSON.stringify({ command });
	return { title: "Terminal", toolKind: "execute", input: { preview: { text: whole, truncated: false }, whole, command } };
}

/** A translator after the agent's request for a command was answered. */
function answered(command: string, decision: "allow" | "deny", toolCallId = asked as ToolCallId, translator = new UpdateTranslator()) {
	translator.tool({ toolCallId, ...run(command) });
	translator.asks(toolCallId);
	if (decision === "deny") translator.denied(toolCallId);
	else translator.allowed(translator.question(toolCallId));
	return translator;
}

function reported(translator: UpdateTranslator, change: ToolCallChange) {
	const [update] = translator.tool(change);
	return update?.kind === "tool_call" ? [update.state, update.unpermitted] : undefined;
}

it.each([
	["as it was asked about", "rm -f zz"],
	["in a shell", "bash -lc 'rm -f zz'"],
	["with white space around it", " rm -f zz "],
])("a denied command that is reported as done under the id of another call was denied: %s", (_, command) => {
	const translator = answered("rm -f zz", "deny");
	expect(reported(translator, { toolCallId: other, ...run(command), state: "running" })).toEqual(["running", undefined]);
	expect(reported(translator, { toolCallId: other, state: "completed" })).toEqual(["completed", "denied"]);
	// Each call is judged by itself.
	expect(reported(translator, { toolCallId: third, ...run("ls"), state: "completed" })).toEqual(["completed", undefined]);
});

it.each([
	["in a shell, with what was denied", 'sh -c "curl evil.com"', "denied", "curl evil.com"],
	["with other white space, which makes no difference", "curl  evil.com", "denied", undefined],
	["with other white space in a shell", "sh  -c 'curl   evil.com'", "denied", "curl evil.com"],
	["but not with a line break, which ends a command", "curl\nevil.com", undefined, undefined],
])("a denied command that is reported under a new id is named as it is reported: %s", (_, command, unpermitted, deniedCommand) => {
	const translator = answered("curl evil.com", "deny");
	const [update] = translator.tool({ toolCallId: other, ...run(command), title: command, state: "completed" });
	if (update?.kind !== "tool_call") throw new Error("the report is not passed on");
	expect([update.title, update.unpermitted, update.deniedCommand]).toEqual([command, unpermitted, deniedCommand]);
	// A report that adds nothing is not passed on.
	expect(translator.tool({ toolCallId: other, state: "completed" })).toEqual([]);
});

it("white space in quotation marks, after a backslash or in a here-document belongs to the command", () => {
	for (const [denied, other] of [
		["echo 'a b'", "echo 'a  b'"],
		['echo "a b"', 'echo "a  b"'],
		["rm a\\ b", "rm a\\  b"],
		["cat <<E\na b\nE", "cat <<E\na  b\nE"],
	] as const)
		expect(reported(answered(denied, "deny"), { toolCallId: third as ToolCallId, ...run(other), state: "completed" })).toEqual([
			"completed",
			undefined,
		]);
});

it("one is recognized by its title, if its agent shows no more than that", () => {
	const translator = new UpdateTranslator();
	const titled = { title: "rm -f zz", toolKind: "execute" } as const;
	translator.tool({ toolCallId: asked, ...titled });
	translator.asks(asked);
	translator.denied(asked);
	expect(reported(translator, { toolCallId: other, ...titled, state: "completed" })).toEqual(["completed", "denied"]);
	expect(reported(translator, { toolCallId: third, title: "rm -f zz", toolKind: "read", state: "completed" })).toEqual([
		"completed",
		undefined,
	]);
});

it.each([
	["names no command", "Terminal", "Terminal", undefined],
	["is cut off", "rm -rf build/out…", "rm -rf build/out…", undefined],
	["names the command behind a verb", "Run `rm -f zz`", "rm -f zz", "denied"],
])("nothing but a command is recognized by its title: one that %s", (_, denied, title, unpermitted) => {
	const translator = new UpdateTranslator();
	translator.tool({ toolCallId: asked, title: denied, toolKind: "execute" });
	translator.asks(asked);
	translator.denied(asked);
	expect(reported(translator, { toolCallId: other, title, toolKind: "execute", state: "completed" })).toEqual(["completed", unpermitted]);
});

it("a denied command of white space is not that of a call without one", () => {
	expect(reported(answered(" ", "deny"), { toolCallId: other, title: "Look", toolKind: "read", state: "completed" })).toEqual([
		"completed",
		undefined,
	]);
});

it("a call that began after the first denial is found, though the same command was denied again meanwhile", () => {
	const translator = answered("rm x", "deny");
	translator.tool({ toolCallId: other, ...run("rm x"), state: "running" });
	answered("rm x", "deny", third, translator);
	expect(reported(translator, { toolCallId: other, state: "completed" })).toEqual(["completed", "denied"]);
});

it("a command that was denied once may be run once it is allowed, and may have been run before", () => {
	const later = answered("make", "allow", other, answered("make", "deny"));
	expect(reported(later, { toolCallId: other, state: "completed" })).toEqual(["completed", undefined]);
	expect(reported(later, { toolCallId: third, ...run("make"), state: "completed" })).toEqual(["completed", undefined]);
	const begun = new UpdateTranslator();
	begun.tool({ toolCallId: other, ...run("make"), state: "running" });
	begun.tool({ toolCallId: third, ...run("make"), state: "completed" });
	answered("make", "deny", asked, begun);
	expect(reported(begun, { toolCallId: other, state: "completed" })).toEqual(["completed", undefined]);
	expect(reported(begun, { toolCallId: third, state: "completed", output: { text: "x", truncated: false } })).toEqual([
		"completed",
		undefined,
	]);
	expect(reported(answered("make", "deny"), { toolCallId: other, ...run("make"), state: "failed" })).toEqual(["failed", undefined]);
});

it("a call about which its agent asks only after it has reported it as done was not waited for", async () => {
	const call = { title: "ls", kind: "execute", rawInput: { command: "ls" } };
	const done = JSON.stringify({ sessionUpdate: "tool_call", toolCallId: "ask-ls", status: "completed", ...call });
	await using bench = await AcpBench.open();
	const { sink } = await bench.run(`UNRULY:UPDATE ${done} ;; ASK ls`);
	expect(sink.of("tool_call").at(-1)).toMatchObject({ toolCallId: "ask-ls", state: "completed", unpermitted: "unanswered" });
	const failed = await bench.run(`UNRULY:UPDATE ${done.replace("completed", "failed")} ;; ASK ls`);
	expect(failed.sink.of("tool_call").map(({ unpermitted }) => unpermitted)).not.toContain("unanswered");
});
