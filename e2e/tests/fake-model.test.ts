import { describe, expect, it } from "vitest";
import { type Act, decide } from "../fakes/fake-model/decide.ts";

const tools = ["find_tools", "execute", "answer"].map((name) => ({ type: "function", function: { name, parameters: { type: "object" } } }));

/** What the model does after these results of its tools. */
function actAfter(prompt: string, ...results: readonly string[]): Act {
	const messages = [{ role: "user", content: prompt }, ...results.map((content) => ({ role: "tool", content }))];
	return decide("chat", { messages, tools }, { escalate: false, stories: new Map() }).act;
}

describe("what a prompt makes the model do", () => {
	it("names the receipts that it was shown", () => {
		const prompt = `FAKE:TOOL execute {"program":"1"} ;; TOOL find_tools {} ;; ANSWER [{"text":"Done: "},{"receiptId":"$receipt(2)"},{"receiptId":"$receipt(9)"}]`;
		const shown = JSON.stringify({ items: [{ receiptRef: "run-a_b-c.3" }, { receiptRef: "run-a_b-c.7" }, { receiptRef: "run-a_b-c.3" }] });
		expect(actAfter(prompt)).toMatchObject({ type: "tool", name: "execute", input: { args: { program: "1" } } });
		expect(actAfter(prompt, shown, "[]")).toMatchObject({
			name: "answer",
			input: { args: { segments: [{ text: "Done: " }, { receiptId: "run-a_b-c.7" }, { receiptId: "$receipt(9)" }] } },
		});
	});

	it("can be an input that is no JSON, half an answer, and a tool that nobody offers", () => {
		expect(actAfter("FAKE:RAW execute {not json")).toMatchObject({ name: "execute", input: { raw: "{not json" } });
		expect(actAfter("FAKE:BREAK end")).toEqual({ type: "broken", fault: "end" });
		expect(actAfter("FAKE:TOOL no_such_tool {}")).toMatchObject({ name: "no_such_tool" });
	});
});
