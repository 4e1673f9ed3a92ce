import { existsSync } from "node:fs";
import { join } from "node:path";
import { ToolCallId } from "@xworkmate/contracts";
import { expect, it, vi } from "vitest";
import { UpdateTranslator } from "../../../src/providers/update-translator.ts";
import { AcpBench } from "./support/acp-bench.ts";

const toolCallId = ToolCallId.parse("1");
const input = { preview: { text: '{"command":"npm test"}', truncated: false }, whole: '{"command":"npm test"}', command: "npm test" };

/** A call that the agent asks about and gets these answers for; then it reports the call as done. */
function done(questions: "at once" | "one by one", ...answers: readonly ("allow" | "deny")[]) {
	const translator = new UpdateTranslator();
	translator.tool({ toolCallId, title: "npm test", toolKind: "execute", input });
	const ask = (index: number) => translator.asks(toolCallId, `question ${index}`);
	if (questions === "at once") for (const index of answers.keys()) ask(index);
	for (const [index, answer] of answers.entries()) {
		if (questions === "one by one") ask(index);
		if (answer === "allow") translator.allowed(translator.question(toolCallId), `question ${index}`);
		else translator.denied(toolCallId, `question ${index}`);
	}
	const last = translator.tool({ toolCallId, state: "completed" }).at(-1);
	return last?.kind === "tool_call" ? [last.state, last.unpermitted] : undefined;
}

it("a call that the agent asked about twice at once may be made if one answer allowed it, whichever came first", () => {
	expect(done("at once", "allow", "deny")).toEqual(["completed", undefined]);
	expect(done("at once", "deny", "allow")).toEqual(["completed", undefined]);
});

it("a call whose questions were all denied, or that was asked about again and denied then, was done against the denial", () => {
	expect(done("at once", "deny", "deny")).toEqual(["denied", "denied"]);
	expect(done("one by one", "allow", "deny")).toEqual(["denied", "denied"]);
	expect(done("one by one", "deny", "allow")).toEqual(["completed", undefined]);
});

it("a call that is done while one of its two questions is open is done without waiting, unless the other was allowed", () => {
	const report = (isAllowed: boolean) => {
		const translator = new UpdateTranslator();
		translator.tool({ toolCallId, title: "npm test", toolKind: "execute", input });
		for (const question of ["one", "two"]) translator.asks(toolCallId, question);
		if (isAllowed) translator.allowed(translator.question(toolCallId), "one");
		const [update] = translator.tool({ toolCallId, state: "completed" });
		return update?.kind === "tool_call" ? update.unpermitted : undefined;
	};
	expect([report(false), report(true)]).toEqual(["unanswered", undefined]);
});

it("a denied call is denied too if the other question about it is withdrawn, and not if that was only open", () => {
	const translator = new UpdateTranslator();
	translator.tool({ toolCallId, title: "npm test", toolKind: "execute", input });
	for (const question of ["one", "two", "three"]) translator.asks(toolCallId, question);
	expect(translator.withdrawn(toolCallId, "three")).toEqual([]);
	expect(translator.denied(toolCallId, "one")).toEqual([]);
	expect(translator.withdrawn(toolCallId, "two")).toMatchObject([{ toolCallId, state: "denied" }]);
	expect(translator.tool({ toolCallId, state: "completed" })).toMatchObject([{ state: "denied", unpermitted: "denied" }]);
});

it("the denial of a question that follows the permission for its call counts, also while an earlier question is open", () => {
	const translator = new UpdateTranslator();
	translator.tool({ toolCallId, title: "npm test", toolKind: "execute", input });
	for (const question of ["one", "two"]) translator.asks(toolCallId, question);
	translator.allowed(translator.question(toolCallId), "one");
	translator.asks(toolCallId, "three");
	expect(translator.denied(toolCallId, "three")).toMatchObject([{ toolCallId, state: "denied" }]);
	expect(translator.denied(toolCallId, "two")).toEqual([]);
	expect(translator.tool({ toolCallId, state: "completed" })).toMatchObject([{ unpermitted: "denied" }]);
});

it("a call whose only question was withdrawn, and that is done, is done without an answer, until another question is allowed", () => {
	const report = (asksAgain: boolean) => {
		const translator = new UpdateTranslator();
		translator.tool({ toolCallId, title: "npm test", toolKind: "execute", input });
		translator.asks(toolCallId, "one");
		translator.withdrawn(toolCallId, "one");
		if (asksAgain) translator.asks(toolCallId, "two");
		if (asksAgain) translator.allowed(translator.question(toolCallId), "two");
		const [update] = translator.tool({ toolCallId, state: "completed" });
		return update?.kind === "tool_call" ? update.unpermitted : undefined;
	};
	expect([report(false), report(true)]).toEqual(["unanswered", undefined]);
});

it("a request is denied although another one for the same call, which was open at the same time, is withdrawn", async () => {
	await using bench = await AcpBench.open();
	const { sink, outcome } = await bench.begin("UNRULY:ASK_TWICE ls ls");
	sink.answering = async () => {
		const isFirst = sink.questions.length === 1;
		await sink.until(({ questions }) => questions.length === 2);
		return { decision: isFirst ? "deny" : "withdrawn" };
	};
	await outcome;
	expect(sink.of("tool_call").at(-1)).toMatchObject({ toolCallId: sink.questions[0]?.toolCallId, state: "denied" });
});

it("a call that is denied, and allowed when it is asked about again, waits again from then on", async () => {
	await using bench = await AcpBench.open();
	const { sink, outcome } = await bench.begin("UNRULY:ASK_BARE deploy make deploy ;; ASK_BARE deploy make deploy");
	sink.answering = async () => ({ decision: sink.questions.length === 1 ? "deny" : "allow_once" });
	await outcome;
	expect(sink.questions.map((question) => question.toolCallId)).toEqual(["deploy", "deploy"]);
	expect(sink.of("tool_call").map(({ state }) => state)).toEqual(["pending", "denied", "pending"]);
});

it("two calls that are asked about at once are asked about in their order, though the folder of the first has to be read", async () => {
	await using bench = await AcpBench.open();
	const edit = JSON.stringify({ path: join(bench.root, "workspace", "a.txt"), newText: "a" });
	const { sink, outcome, artifactDirectory } = await bench.begin(
		`UNRULY:ASK_EDIT_ON edit ${edit} ;; ASK_ON ls ;; CALL fs/read_text_file ;; WRITE $XWORKMATE_ARTIFACT_DIRECTORY/asked now ;; ASK last`,
	);
	// The log takes the first question only after the second one has been read.
	sink.pace = () => vi.waitUntil(() => existsSync(join(artifactDirectory, "asked")), 10_000).then(() => undefined);
	expect(await outcome).toEqual({ kind: "ended" });
	expect(sink.questions.map(({ title }) => title)).toEqual(["Edit", "ls", "last"]);
});
