import { Sha256, ToolCallId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { addFacts, nothingSaid } from "../../../src/providers/acp/protocol/call-facts.ts";
import { permissionRequest } from "../../../src/providers/acp/turn/permission-request.ts";
import { previewOf } from "../../../src/providers/preview.ts";

it.each<[named: string, shown: unknown, isShown: boolean]>([
	[".env", { file_path: "/home/u/project/a.ts", new_string: "process.env.X" }, false],
	[".env", { file_path: "a.ts", new_string: "in .env" }, false],
	[".env", { file_path: "a.ts", description: ".env" }, false],
	["/home/u/pro", { file_path: "/home/u/project/a.ts" }, false],
	["u/project/a.ts", { file_path: "/home/u/project/a.ts" }, false],
	["b.md", { command: "cat src/b.md b.md.old lib.b.md" }, false],
	["b.md", "Edit ab.md", false],
	["a.md", "Edit `a.md`", true],
	["a.md", { command: "cat 'a.md'" }, true],
	["a.md", { command: ["bash", "-lc", "cat <a.md"] }, true],
	["a.md", { edits: [{ path: "./a.md" }] }, true],
	["a.md", { changes: { "$ROOT/a.md": { type: "update" } } }, true],
	["$ROOT/a.md", { file_path: "a.md" }, true],
	["$ROOT/a.md", { file_path: "a.md", cwd: "/elsewhere" }, false],
	['say "a".md', { file_path: 'say "a".md' }, true],
	["b/a.md", { diff: "--- a/a.md\n+++ b/a.md\n" }, true],
	["a.md", { input: "*** Begin Patch\n*** Update File: a.md\n" }, true],
	["a.md", { file_path: "a.md", content: "x".repeat(20_000) }, true],
	["a.md", { file_path: "b.md", content: `${"x".repeat(16_355)}"a.md"` }, false],
])("names %j beside the request %j unless that shows it: %s", async (named, shown, isShown) => {
	const path = named.replace("$ROOT", "/work place");
	const isTitle = typeof shown === "string";
	const rawInput: unknown = isTitle ? undefined : JSON.parse(JSON.stringify(shown).replace("$ROOT", "/work place"));
	const request = await permissionRequest(
		{
			toolCallId: ToolCallId.parse("1"),
			title: isTitle ? shown : "Edit",
			toolKind: "edit",
			...(!isTitle && { input: previewOf(JSON.stringify(rawInput)) }),
			inputHash: Sha256.parse("0".repeat(64)),
			isShown: true,
		},
		addFacts(nothingSaid, { rawInput, content: [], locations: [{ path }], isTitleCut: false }),
		{ answers: { allow_once: "1" }, names: { allowOnce: [], isCut: false } },
		"/work place",
	);
	expect(request.alsoNamed ?? []).toEqual(isShown ? [] : [path]);
});

it.each([
	["more directories than are kept", Array.from({ length: 22 }, (_, index) => `/other/${index}`), "/other/21"],
	["a directory that is too long to be kept", [`/${"x".repeat(4_096)}`], undefined],
])("is not granted for later calls if it names %s, and shows the latest that is kept", async (_, directories, shown) => {
	const facts = directories.reduce(
		(known, cwd) => addFacts(known, { rawInput: { command: "ls", cwd }, content: [], locations: [], isTitleCut: false }),
		nothingSaid,
	);
	const request = await permissionRequest(
		{ toolCallId: ToolCallId.parse("1"), title: "ls", toolKind: "execute", inputHash: Sha256.parse("0".repeat(64)), isShown: true },
		facts,
		{ answers: { allow_once: "1" }, names: { allowOnce: [], isCut: false } },
		"/work place",
	);
	expect([request.options, request.directory]).toEqual([["allow_once", "deny"], shown]);
});
