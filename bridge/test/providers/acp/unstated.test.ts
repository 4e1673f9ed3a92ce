import { expect, it } from "vitest";
import { grantScope } from "../../../src/approvals/grant-scope.ts";
import type { PermissionRequest } from "../../../src/ports/agents/provider.ts";
import { decodePermission } from "../../../src/providers/acp/protocol/decode-permission.ts";
import { decodeUpdate } from "../../../src/providers/acp/protocol/decode-update.ts";
import { CallBook } from "../../../src/providers/acp/turn/call-book.ts";
import { permissionRequest } from "../../../src/providers/acp/turn/permission-request.ts";
import { UpdateTranslator } from "../../../src/providers/update-translator.ts";

/** The request that an agent's question becomes, after what it reported of the call. */
async function asked(toolCall: object, ...reports: readonly object[]): Promise<PermissionRequest> {
	const [translator, book] = [new UpdateTranslator(), new CallBook()];
	for (const report of reports) {
		const { update } = decodeUpdate({ sessionId: "s", update: { sessionUpdate: "tool_call", toolCallId: "1", ...report } });
		translator.translate(update);
	}
	const params = { sessionId: "s", toolCall: { toolCallId: "1", ...toolCall }, options: [{ optionId: "y", kind: "allow_once" }] };
	const question = decodePermission(params);
	if (question === undefined) throw new Error("not a question");
	translator.tool(question.change);
	const { toolCallId } = question.change;
	return permissionRequest(translator.question(toolCallId), book.see(toolCallId, question.parts), question, "/work");
}

it.each([
	["neither", {}, [], ["title", "kind"]],
	["a title alone", { title: "Do it" }, [], ["kind"]],
	["a kind alone", { kind: "edit" }, [], ["title"]],
	["a title that is also the bridge's word", { title: "Tool call", kind: "other" }, [], undefined],
	["both before the question", {}, [{ title: "Do it", kind: "edit" }], undefined],
] as const)("a request says what the agent did not state: %s", async (_, toolCall, reports, unstated) => {
	expect((await asked(toolCall, ...reports)).unstated).toEqual(unstated);
});

const diff = (path: string, newText: string) => [{ type: "diff", path, oldText: "b", newText }];

it.each([
	["of another file than the input's", { path: "a.txt", content: "fine" }, diff("b.txt", "fine"), "b.txt:\n- b\n+ fine"],
	["with another text than the input's", { path: "a.txt", content: "fine" }, diff("a.txt", "EVIL"), "a.txt:\n- b\n+ EVIL"],
	["that the input shows", { path: "a.txt", content: 'two\n"lines"' }, diff("a.txt", 'two\n"lines"'), undefined],
])("a request has a reported change %s", async (_, rawInput, content, text) => {
	const { proposed } = await asked({ title: "Edit a.txt", kind: "edit", rawInput, content });
	expect(proposed?.text).toBe(text);
});

it("a request has a reported change once: as its input, if the agent sent none", async () => {
	const { input, proposed } = await asked({ title: "Edit a.txt", kind: "edit", content: diff("a.txt", "new") });
	expect([input?.text, proposed]).toEqual(["a.txt:\n- b\n+ new", undefined]);
});

it.each([
	["one\n", "two\n", "a.txt:\n- one\n+ two"],
	["one\n", "two", "a.txt:\n- one\n- \n+ two"],
	["one\n", "", "a.txt:\n- one"],
])("a request shows the lines of a change from %j to %j, and no others", async (oldText, newText, text) => {
	const { input } = await asked({ title: "Edit a.txt", kind: "edit", content: [{ type: "diff", path: "a.txt", oldText, newText }] });
	expect(input?.text).toBe(text);
});

it("a request has a change that the agent reported before it asked", async () => {
	const { proposed } = await asked({ rawInput: { path: "a.txt" } }, { title: "Edit", kind: "edit", content: diff("b.txt", "EVIL") });
	expect(proposed?.text).toBe("b.txt:\n- b\n+ EVIL");
});

it("a request has a reported change that an earlier input showed and its own doesn't, and not one that its own shows", async () => {
	const [whole, bare] = [{ path: "a.txt", content: "new" }, { path: "a.txt" }];
	const report = (rawInput: object) => ({ title: "Edit a.txt", kind: "edit", rawInput, content: diff("a.txt", "new") });
	expect((await asked({ rawInput: bare }, report(whole))).proposed?.text).toBe("a.txt:\n- b\n+ new");
	expect((await asked({ rawInput: whole }, report(bare))).proposed).toBeUndefined();
});

it("a request says that a change is cut off if it is too long to be kept, though its input shows what was kept", async () => {
	const content = Array.from({ length: 6 }, () => ({ type: "diff", path: "a.txt", oldText: "x".repeat(8_000), newText: "new" }));
	const { proposed } = await asked({ title: "Edit", kind: "edit", rawInput: { path: "a.txt", content: "new" }, content });
	expect(proposed?.truncated).toBe(true);
});

it.each([
	["no text", { path: "a.txt" }, ""],
	["no text, and a field is empty for another reason", { path: "a.txt", reason: "" }, ""],
	["a blank text", { path: "a.txt", content: "one two" }, " "],
	["a few letters that occur in the input by chance", { path: "a.txt", line: 12 }, "1"],
])("a request has a reported change that leaves %s", async (_, rawInput, newText) => {
	const { proposed } = await asked({ title: "Edit a.txt", kind: "edit", rawInput, content: diff("a.txt", newText) });
	expect(proposed?.text).toMatch(/^a\.txt:\n- b/);
});

it.each([
	["removes a text", { path: "a.txt", old_string: "b", new_string: "" }, ""],
	["leaves a few letters", { edits: [{ path: "a.txt", to: "1" }] }, "1"],
	["leaves a text of a patch", { patch: "a.txt\n-b\n+a sentence of some length" }, "a sentence of some length"],
])("a request does not repeat a change that its input shows: one that %s", async (_, rawInput, newText) => {
	expect((await asked({ title: "Edit", kind: "edit", rawInput, content: diff("a.txt", newText) })).proposed).toBeUndefined();
});

it("a request with more changes than are kept says that it is incomplete, and is not granted for later ones", async () => {
	const content = Array.from({ length: 21 }, (_, index) => diff("a.txt", `new ${index}`)).flat();
	const edit = { title: "Edit a.txt", kind: "edit" };
	const beside = await asked({ ...edit, rawInput: { path: "a.txt" }, content });
	expect([beside.input?.truncated, beside.proposed?.truncated]).toEqual([false, true]);
	const alone = await asked({ ...edit, content });
	expect([alone.input?.truncated, alone.proposed]).toEqual([true, undefined]);
	const whole = await asked({ ...edit, rawInput: { path: "a.txt" }, content: content.slice(1) });
	expect(whole.proposed?.truncated).toBe(false);
	expect([beside, alone, whole].map((request) => grantScope(request)?.kind)).toEqual([undefined, undefined, "request"]);
});

it("a request with more files than are kept says that it is incomplete, and names those that are kept", async () => {
	const among = (count: number) => Array.from({ length: count }, (_, index) => ({ path: `/work/${index}.txt` }));
	const some = await asked({ title: "Edit", kind: "edit", rawInput: { all: true }, locations: among(50) });
	expect([some.alsoNamed?.length, some.input?.truncated]).toEqual([50, false]);
	const many = await asked({ title: "Edit", kind: "edit", rawInput: { all: true }, locations: among(51) });
	expect([many.alsoNamed?.length, many.input]).toEqual([50, { text: '{"all":true}', truncated: true }]);
	expect((await asked({ title: "Edit", kind: "edit", locations: among(51) })).input).toEqual({ text: "Edit", truncated: true });
	const beside = await asked({ title: "Edit", kind: "edit", rawInput: {}, content: diff("a.txt", "new"), locations: among(51) });
	expect([beside.input?.truncated, beside.proposed?.truncated]).toEqual([false, true]);
});

it("a request has the agent's text about the call if neither its input nor its change shows it, and it is no output", async () => {
	const text = (said: string) => ({ type: "content", content: { type: "text", text: said } });
	const rawInput = { command: "git status", description: "Look at it" };
	const status = { title: "git status", kind: "execute" };
	const warned = await asked({ ...status, rawInput, content: [text("WARNING: this also deletes the branch")] });
	expect([warned.input?.text, warned.says?.text]).toEqual([JSON.stringify(rawInput), "WARNING: this also deletes the branch"]);
	expect((await asked({ ...status, rawInput, content: [text("Look at it")] })).says).toBeUndefined();
	expect(await asked({ ...status, content: [text("Look at it")] })).toMatchObject({ input: { text: "Look at it" } });
	expect((await asked({ ...status, content: [text("Look at it")] })).says).toBeUndefined();
	const both = await asked({ title: "Edit", kind: "edit", content: [...diff("a.txt", "new"), text("And the rest")] });
	expect([both.input?.text, both.says?.text]).toEqual(["a.txt:\n- b\n+ new", "And the rest"]);
});

it("a request has the names of the answers that allow it once", async () => {
	const options = (...names: readonly string[]) => ({
		sessionId: "s",
		toolCall: { toolCallId: "1", title: "Do it", rawInput: { a: 1 } },
		options: names.map((name) => ({ optionId: `id ${name}`, name, kind: "allow_once" })),
	});
	const request = async (...names: readonly string[]) => {
		const question = decodePermission(options(...names));
		if (question === undefined) throw new Error("not a question");
		const translator = new UpdateTranslator();
		translator.tool(question.change);
		return permissionRequest(
			translator.question(question.change.toolCallId),
			new CallBook().see(question.change.toolCallId, question.parts),
			question,
			"/work",
		);
	};
	expect((await request("Run and push", "Run only")).allowNames).toEqual(["Run and push", "Run only"]);
	expect((await request("x".repeat(201))).options).toEqual(["allow_once", "deny"]);
	expect((await request("x".repeat(200))).options).toEqual(["allow_once", "allow_window", "deny"]);
});
