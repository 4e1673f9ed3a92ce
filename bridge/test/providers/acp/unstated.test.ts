import { expect, it } from "vitest";
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
	return permissionRequest(translator.question(toolCallId), book.see(toolCallId, question.parts), question.answers, "/work");
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
