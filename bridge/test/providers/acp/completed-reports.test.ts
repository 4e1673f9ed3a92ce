import { ToolCallId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { decodeToolCall, toolParts } from "../../../src/providers/acp/protocol/decode-tool.ts";
import { AllowedInput } from "../../../src/providers/acp/turn/allowed-input.ts";
import { CallBook } from "../../../src/providers/acp/turn/call-book.ts";
import { UpdateTranslator } from "../../../src/providers/update-translator.ts";

const toolCallId = ToolCallId.parse("c1");
const folder = "/work/project";

/** What is said of a call after it was allowed as it was asked about, and reported as done. */
async function afterwards(asked: object, reported: object) {
	const [translator, book, input] = [new UpdateTranslator(), new CallBook(), new AllowedInput()];
	const see = (wire: object) => {
		const change = decodeToolCall({ toolCallId, ...wire });
		if (change === undefined) throw new Error("not a call");
		return { facts: book.see(toolCallId, toolParts({ toolCallId, ...wire })), updates: translator.tool(change) };
	};
	const { facts } = see({ title: "A call", ...asked });
	translator.asks(toolCallId);
	const question = translator.question(toolCallId);
	translator.allowed(question);
	input.allowed(question, facts);
	const done = see({ status: "completed", ...reported });
	const [update] = await Promise.all(done.updates.map((one) => input.look(one, done.facts, folder)));
	return update?.kind === "tool_call" ? update.unpermitted : undefined;
}

const long = "sub/".repeat(60);
const diff = (newText: string, oldText?: string, path = "a.md") => ({
	type: "diff",
	path,
	newText,
	...(oldText !== undefined && { oldText }),
});
const content = (...items: readonly object[]) => ({ content: items });

describe("a report of what was allowed, as agents send it when the call has ended, is no other call", () => {
	it.each([
		[
			"Claude's: a hunk with lines around the change",
			{ title: "Edit a.md", kind: "edit", ...content(diff("two\nTWO\nthree\n", "two\nthree\n")) },
			content(diff("one\ntwo\nTWO", "one\ntwo"), diff("three\nfour", "3\nfour")),
		],
		[
			"Claude's: a hunk of a file that was asked about as a whole",
			{ title: "Write a.md", kind: "edit", ...content(diff("one\nTWO\nthree\nfour")) },
			content(diff("one\nTWO\nthree", "one\ntwo\nthree")),
		],
		[
			"OpenCode's: the input's line endings, although the file has others",
			{ kind: "edit", ...content(diff("1\r\n2\r\n", "1\r\n")) },
			{ rawInput: { filePath: "a.md", oldString: "1\n", newString: "1\n2\n" }, ...content(diff("1\n2", "1\n")) },
		],
		[
			"Codex's: its command as words in a shell",
			{ title: 'echo "a b" > out', kind: "execute" },
			{ rawInput: { command: ["bash", "-lc", "echo 'a b' > out"], cwd: folder } },
		],
		["an editor's, with its word", { title: "Read a.md", kind: "read" }, { rawInput: { command: "view", path: "a.md" } }],
		[
			"an editor's, with its word and a change",
			{ title: "Edit a.md", kind: "edit", ...content(diff("b", "a")) },
			{ rawInput: { command: "str_replace", path: "a.md", old_str: "a", new_str: "b" }, ...content(diff("b", "a")) },
		],
		[
			"one that fills in what was not stated",
			{ kind: "read", rawInput: { uri: "a.md", limit: null, thought: "" } },
			{ rawInput: { uri: "a.md", limit: 2_000, thought: "done" } },
		],
		[
			"one that spells addresses otherwise",
			{ kind: "fetch", rawInput: { url: "https://e.org", uri: "file:///w/a%20b" } },
			{ rawInput: { url: "https://E.org/", uri: "/w/a b" } },
		],
		[
			"one that names a file by its address",
			{ kind: "read", rawInput: { path: "a b.md" } },
			{ rawInput: { path: `file://${folder}/a%20b.md`, cwd: `file://${folder}` } },
		],
		[
			"one that spells long paths otherwise",
			{ kind: "read", rawInput: { path: long, cwd: `${folder}/${long}` } },
			{ rawInput: { path: `./${long}`, cwd: `${folder}/./${long}` } },
		],
		[
			"one whose long text has other line endings",
			{ kind: "edit", rawInput: { path: "a.md", content: "line\n".repeat(99) } },
			{ rawInput: { path: "a.md", content: "line\r\n".repeat(99).trimEnd() } },
		],
		[
			"one whose input is a text with JSON",
			{ kind: "other", rawInput: '{"to":"bob","description":"x"}' },
			{ rawInput: '{ "description": "y", "to": "bob" }' },
		],
		["a removal of text", { kind: "edit", ...content(diff("", "a\n")) }, content(diff("", "a\n"))],
	])("%s", async (_, asked, reported) => {
		expect(await afterwards(asked, reported)).toBeUndefined();
	});
});

it("a text with JSON that has another value is of another call", async () => {
	const text = (to: string) => ({ kind: "other", rawInput: JSON.stringify({ to }) });
	expect(await afterwards(text("bob"), text("eve"))).toBe("another");
});

it.each([
	["another text of a new file", content(diff("one\ntwo\n")), content(diff("EVIL"))],
	["no text", content(diff("one\n", "zero\n")), content(diff("", "zero\n"))],
	["a text instead of none", content(diff("", "zero\n")), content(diff("EVIL", "zero\n"))],
])("a report with a change of the same text that has %s is of another call", async (_, asked, reported) => {
	expect(await afterwards({ title: "Edit", kind: "edit", ...asked }, reported)).toBe("another");
});

describe("a command", () => {
	const line = 'echo "hi" \\\n  && npm test';
	const reported = { rawInput: { command: line } };

	it.each([
		["named in another field", { rawInput: { script: line } }],
		["named in a field of a field", { rawInput: { args: { line: `bash -lc '${line}'` } } }],
		["named in JSON in a field", { rawInput: { call: JSON.stringify({ line }) } }],
		["named as words", { rawInput: { argv: ["echo", "hi", "&&", "npm", "test"] } }],
		["named in other quotes", { title: `Run \`${line.replaceAll('"', "'")}\` here` }],
		["may have named in a title that was cut off", { title: "x".repeat(2_000) }],
		["may have named in an input that was cut off", { rawInput: { text: "x".repeat(20_000) } }],
	])("that the request %s was allowed", async (_, asked) => {
		expect(await afterwards({ title: "Test", kind: "other", ...asked }, reported)).toBeUndefined();
	});

	it("that the request did not name was not", async () => {
		for (const script of ['echo "hi"', 'echo "hi" && npm test --all', 'echo "ho" && npm test'])
			expect(await afterwards({ kind: "other", rawInput: { script } }, reported), script).toBe("another");
	});
});
