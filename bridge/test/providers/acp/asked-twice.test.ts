import { ToolCallId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { UpdateTranslator } from "../../../src/providers/update-translator.ts";

const toolCallId = ToolCallId.parse("1");
const input = { preview: { text: '{"command":"npm test"}', truncated: false }, whole: '{"command":"npm test"}', command: "npm test" };

/** A call that the agent asks about and gets these answers for; then it reports the call as done. */
function done(questions: "at once" | "one by one", ...answers: readonly ("allow" | "deny")[]) {
	const translator = new UpdateTranslator();
	translator.tool({ toolCallId, title: "npm test", toolKind: "execute", input });
	const ask = () => {
		translator.asks(toolCallId);
		return translator.question(toolCallId);
	};
	if (questions === "at once") for (const _ of answers.slice(1)) ask();
	for (const [index, answer] of answers.entries()) {
		const question = questions === "one by one" || index === 0 ? ask() : translator.question(toolCallId);
		if (answer === "allow") translator.allowed(question);
		else translator.denied(toolCallId);
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
		for (const _ of [1, 2]) translator.asks(toolCallId);
		if (isAllowed) translator.allowed(translator.question(toolCallId));
		const [update] = translator.tool({ toolCallId, state: "completed" });
		return update?.kind === "tool_call" ? update.unpermitted : undefined;
	};
	expect([report(false), report(true)]).toEqual(["unanswered", undefined]);
});
