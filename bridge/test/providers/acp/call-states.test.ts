import { expect, it } from "vitest";
import { decodeToolCall } from "../../../src/providers/acp/protocol/decode-tool.ts";
import { decodeUpdate } from "../../../src/providers/acp/protocol/decode-update.ts";
import { UpdateTranslator } from "../../../src/providers/update-translator.ts";
import { AcpBench } from "./support/acp-bench.ts";

it.each([
	[{ exitCode: 1 }, "failed"],
	[{ exit_code: 2, stdout: "" }, "failed"],
	[{ output: "", metadata: { exit: 127 } }, "failed"],
	[{ exitCode: 0 }, "completed"],
	[{ exitCode: "1" }, "failed"],
	[{ returncode: 1 }, "failed"],
	[{ exitStatus: 3 }, "failed"],
	[{ returnCode: 200 }, "completed"],
	[{ isError: true }, "failed"],
	[{ is_error: true, exit_code: null }, "failed"],
	[{ exitCode: null }, "completed"],
	[{ exitCode: "0", isError: false }, "completed"],
	[{ returncode: "one", isError: "true" }, "completed"],
	["exit 1", "completed"],
] as const)("a call that is reported as completed with the output %j is %s", (rawOutput, state) => {
	const update = { sessionUpdate: "tool_call_update", toolCallId: "1", status: "completed", rawOutput };
	expect(decodeUpdate({ sessionId: "s", update }).update).toMatchObject({ kind: "tool", change: { state } });
});

it("a call that is reported as completed has failed if its terminal is reported to have failed", () => {
	const report = (exit_code: number) =>
		decodeToolCall({ toolCallId: "1", status: "completed", _meta: { terminal_exit: { terminal_id: "t", exit_code, signal: null } } });
	expect(report(1)).toMatchObject({ state: "failed", hasExited: true });
	expect(report(0)).toMatchObject({ state: "completed", hasExited: true });
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

type Step = object | "ALLOW" | "DENY" | "WITHDRAW";

/** What each report of a call becomes. `asks`: it is a question, which is then answered or withdrawn. */
function shown(...steps: readonly Step[]) {
	const translator = new UpdateTranslator();
	return steps.flatMap((step) => {
		const call = typeof step === "string" ? undefined : decodeToolCall({ toolCallId: "1", title: "git status", kind: "execute", ...step });
		const toolCallId = decodeToolCall({ toolCallId: "1" })?.toolCallId;
		if (toolCallId === undefined) throw new Error("not a call");
		if (step === "ALLOW") translator.allowed(translator.question(toolCallId), "q");
		if (step === "DENY") return [...translator.denied(toolCallId, "q")];
		if (step === "WITHDRAW") return [...translator.withdrawn(toolCallId, "q")];
		if (call === undefined || typeof step === "string") return [];
		const updates = translator.tool(call, "asks" in step);
		if ("asks" in step) translator.asks(toolCallId, "q");
		return [...updates];
	});
}

const text = (said: string) => ({ content: [{ type: "content", content: { type: "text", text: said } }] });

it("a report that does not change how a call ended is logged with the state that it named", () => {
	const states = (...steps: readonly Step[]) =>
		shown(...steps).map((update) => (update.kind === "tool_call" ? [update.state, update.reportedState] : []));
	const report = (status: string) => ({ status, ...text(status) });
	expect(states(report("failed"), report("completed"), report("failed"), text("more"))).toEqual([
		["failed", undefined],
		["failed", "completed"],
		["failed", undefined],
		["failed", undefined],
	]);
	expect(states(report("completed"), report("in_progress"), report("failed"))).toEqual([
		["completed", undefined],
		["completed", "running"],
		["failed", undefined],
	]);
	expect(states({ asks: true }, "DENY", report("completed")).at(-1)).toEqual(["denied", "completed"]);
	// A question about a call that was denied is no report of it.
	expect(states({ asks: true }, "DENY", { asks: true, ...report("pending") }).at(-1)).toEqual(["denied", undefined]);
});

it("what an agent says of a call when it asks, or before the call begins, is not the call's output", () => {
	const [announced, asked, running] = shown(text("will delete"), { asks: true, ...text("WARNING") }, "ALLOW", {
		status: "in_progress",
		...text("clean"),
	});
	expect(announced).toMatchObject({ says: { text: "will delete" } });
	expect(asked).toMatchObject({ says: { text: "WARNING" } });
	for (const update of [announced, asked]) expect(update).not.toHaveProperty("output");
	expect(running).toMatchObject({ output: { text: "clean" } });
	expect(running).not.toHaveProperty("says");
	const [, question] = shown({ status: "in_progress" }, { asks: true, ...text("WARNING") });
	expect(question).not.toHaveProperty("output");
	const [, content] = shown({ asks: true }, "ALLOW", text("clean"));
	expect(content).toMatchObject({ state: "pending", output: { text: "clean" } });
});

it("the text before a call began is its output if the call ends without another and nobody was asked", () => {
	const last = (...steps: readonly Step[]) => shown(...steps).at(-1);
	const [begins, ends] = [{ status: "in_progress" }, { status: "completed" }];
	expect(last(text("clean"), begins, ends)).toMatchObject({ output: { text: "clean" } });
	expect(last(text("clean"), ends)).toMatchObject({ output: { text: "clean" } });
	for (const steps of [
		[text("will delete"), { ...begins, ...text("clean") }, ends],
		[text("will delete"), { ...begins, content: [{ type: "diff", path: "a", newText: "x" }] }, ends],
		[text("will delete"), { asks: true }, "ALLOW", ends],
		[text("will delete"), { status: "failed" }],
	] as const)
		expect(last(...steps)).not.toHaveProperty("output");
});

it("a call that never began and whose question was withdrawn has not failed, though its agent says so", () => {
	const last = (...steps: readonly Step[]) => shown(...steps).at(-1);
	expect(last({ asks: true }, "WITHDRAW", { status: "failed", title: "x" })).toMatchObject({ state: "pending" });
	expect(last({ status: "in_progress" }, { asks: true }, "WITHDRAW", { status: "failed" })).toMatchObject({ state: "failed" });
	expect(last({ asks: true }, "WITHDRAW", { status: "completed", rawOutput: { exitCode: 1 } })).toMatchObject({ state: "failed" });
	expect(last({ asks: true }, "ALLOW", { status: "failed" })).toMatchObject({ state: "failed" });
	expect(last({ asks: true }, "ALLOW", { asks: true }, "WITHDRAW", { status: "failed" })).toMatchObject({ state: "failed" });
	expect(last({ status: "failed" })).toMatchObject({ state: "failed" });
});

it("a call that never began has not failed while its question is open, though its agent says so", () => {
	const last = (...steps: readonly Step[]) => shown(...steps).at(-1);
	const fails = { status: "failed", title: "x" };
	expect(last({ asks: true }, fails)).toMatchObject({ state: "pending" });
	expect(last({ asks: true }, fails, "DENY")).toMatchObject({ state: "denied" });
	expect(last({ asks: true }, fails, "WITHDRAW", fails)).toMatchObject({ state: "pending" });
	expect(last({ asks: true }, fails, "ALLOW", { status: "completed" })).toMatchObject({ state: "completed" });
	expect(last({ status: "in_progress" }, { asks: true }, fails)).toMatchObject({ state: "failed" });
	expect(last({ asks: true }, "ALLOW", { asks: true }, fails)).toMatchObject({ state: "failed" });
	expect(last({ asks: true }, { status: "completed", rawOutput: { exitCode: 1 } })).toMatchObject({ state: "failed" });
});

it("a command that was denied, or that nobody has answered about, and shows how it failed has run without permission", () => {
	const ran = { status: "completed", rawOutput: { exitCode: 1 } };
	expect(shown({ asks: true }, "DENY", ran).at(-1)).toMatchObject({ unpermitted: "denied" });
	expect(shown({ asks: true }, ran).at(-1)).toMatchObject({ state: "failed", unpermitted: "unanswered" });
	const refused = shown({ asks: true }, "DENY", { status: "failed", title: "x" });
	expect(refused.filter((update) => "unpermitted" in update)).toEqual([]);
});

it("a call that its agent asks about only after its run was stopped, and then gives up, did not run", async () => {
	await using bench = await AcpBench.open();
	const call = (more: object) => JSON.stringify({ toolCallId: "deploy", title: "make deploy", kind: "execute", ...more });
	const fails = call({ sessionUpdate: "tool_call_update", status: "failed" });
	const script = `SESSION ;; IGNORE_CANCEL ;; UNTIL_CANCELLED ;; ASK_BARE deploy make deploy ;; UPDATE ${fails}`;
	const { sink, outcome, stop } = await bench.begin(`UNRULY:${script}`);
	await sink.until(({ text }) => text.includes("pid"));
	stop.abort();
	expect(await outcome).toMatchObject({ kind: "cancelled" });
	// The request is in the log, and nothing that it is answered with there counts.
	expect(sink.questions.map(({ title, isLate }) => [title, isLate])).toEqual([["make deploy", true]]);
	expect(sink.of("tool_call").map(({ state }) => state)).toEqual(["pending"]);
});

it("a call that its agent gives up when its run is stopped, without an answer, did not run", async () => {
	await using bench = await AcpBench.open();
	const call = (more: object) => JSON.stringify({ toolCallId: "deploy", title: "make deploy", kind: "execute", ...more });
	const [asks, fails] = [
		call({ sessionUpdate: "tool_call", status: "pending" }),
		call({ sessionUpdate: "tool_call_update", status: "failed", title: "Cancelled" }),
	];
	const { sink, outcome } = await bench.begin(`UNRULY:UPDATE ${asks} ;; ASK_BARE deploy make deploy ;; UPDATE ${fails}`);
	sink.answering = async () => ({ decision: "withdrawn" });
	expect(await outcome).toEqual({ kind: "ended" });
	expect(sink.of("tool_call").map(({ state, title }) => [state, title])).toEqual([["pending", "make deploy"]]);
});

it("the last shown change of a call is marked if its agent reported more of them than are shown", () => {
	const marks = (count: number) => {
		const content = Array.from({ length: count }, (_, index) => ({ type: "diff", path: `${index}.md`, oldText: "a", newText: "b" }));
		const change = decodeToolCall({ toolCallId: "1", kind: "edit", status: "completed", content });
		const [update] = change === undefined ? [] : new UpdateTranslator().tool(change);
		return update?.kind === "tool_call" ? update.diff?.map(({ truncated }) => truncated) : undefined;
	};
	const whole = Array.from({ length: 19 }, () => false);
	expect(marks(20)).toEqual([...whole, false]);
	expect(marks(21)).toEqual([...whole, true]);
});
