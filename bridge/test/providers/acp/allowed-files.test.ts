import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolCallId, type ToolKind } from "@xworkmate/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { decodeToolCall, toolParts } from "../../../src/providers/acp/protocol/decode-tool.ts";
import { AllowedFiles } from "../../../src/providers/acp/turn/allowed-files.ts";
import { CallBook } from "../../../src/providers/acp/turn/call-book.ts";
import { UpdateTranslator } from "../../../src/providers/update-translator.ts";
import { AcpBench } from "./support/acp-bench.ts";

const toolCallId = ToolCallId.parse("c1");
let folder: string;

beforeEach(async () => {
	folder = await realpath(await mkdtemp(join(tmpdir(), "allowed-files-")));
});

afterEach(async () => {
	await rm(folder, { recursive: true, force: true });
});

/** What a report of a call as done says of its permission, after the call was allowed as it was asked about. */
async function afterwards(toolKind: ToolKind, asked: object, reported: object) {
	const files = new AllowedFiles();
	const book = new CallBook();
	const translator = new UpdateTranslator();
	const see = (wire: object) => {
		const change = decodeToolCall({ toolCallId, ...wire });
		if (change === undefined) throw new Error("not a call");
		return { facts: book.see(toolCallId, toolParts({ toolCallId, ...wire })), updates: translator.tool(change) };
	};
	const question = see({ title: "Write one.txt", kind: toolKind, ...asked });
	files.allowed(translator.question(toolCallId), question.facts);
	const { facts, updates } = see({ status: "completed", ...reported });
	const [update] = updates;
	if (update === undefined) throw new Error("nothing was reported");
	const looked = await files.look(update, facts, folder);
	return looked.kind === "tool_call" ? { unpermitted: looked.unpermitted, ...looked.swapped } : undefined;
}

const at = (...paths: readonly string[]) => ({ locations: paths.map((path) => ({ path })) });
const one = at("one.txt");

it.each([
	["an edit", "edit", one, at("two.txt"), "edit one.txt", "edit two.txt"],
	["an edit of both", "edit", one, at("one.txt", "two.txt"), "edit one.txt", "edit two.txt"],
	["an edit with a change", "edit", one, { content: [{ type: "diff", path: "two.txt", newText: "x" }] }, "edit one.txt", "edit two.txt"],
	["a deletion", "delete", { rawInput: { path: "one.txt" } }, at("two.txt"), "delete one.txt", "delete two.txt"],
	["a call of no kind", "other", { rawInput: { path: "one.txt" } }, at("sub/one.txt"), "one.txt", "sub/one.txt"],
] as const)(
	"%s that was allowed for one file and is reported of another is not what was allowed",
	async (_, kind, asked, reported, allowed, did) => {
		expect(await afterwards(kind, asked, reported)).toEqual({ unpermitted: "another", allowed, reported: did });
	},
);

it("one that is reported of its own file, however it is spelled, is what was allowed", async () => {
	const allowed = { unpermitted: undefined };
	await mkdir(join(folder, "real"));
	await symlink("real", join(folder, "link"));
	await writeFile(join(folder, "real", "a.txt"), "x");
	expect(await afterwards("edit", one, at(join(folder, "one.txt")))).toEqual(allowed);
	expect(await afterwards("edit", at(join(folder, "one.txt")), at("./one.txt"))).toEqual(allowed);
	expect(await afterwards("edit", at("link/a.txt"), at(join(folder, "real", "a.txt")))).toEqual(allowed);
	await symlink("real/a.txt", join(folder, "link.txt"));
	expect(await afterwards("edit", at("link.txt"), at("real/a.txt"))).toEqual(allowed);
	expect(await afterwards("edit", at("link/gone.txt"), at("real/gone.txt"))).toEqual(allowed);
	expect(await afterwards("edit", one, at(`file://${folder}/one.txt`))).toEqual(allowed);
	// The user saw the second file in the input, which the bridge does not know as one that names files.
	const both = { rawInput: { path: "one.txt", more: ["two.txt"] } };
	expect(await afterwards("edit", both, at("one.txt", "two.txt"))).toEqual(allowed);
	const patch = { rawInput: { path: "one.txt", patch: "*** Begin Patch\n*** Update File: two.txt\n" } };
	expect(await afterwards("edit", patch, at("one.txt", "two.txt"))).toEqual(allowed);
});

it("one that was allowed for a folder and is reported of files in it is what was allowed", async () => {
	const allowed = { unpermitted: undefined };
	await mkdir(join(folder, "build", "js"), { recursive: true });
	await symlink(folder, join(folder, "link"));
	const files = at("build/a.js", "build/js/b.js");
	const build = { rawInput: { path: "build" } };
	expect(await afterwards("delete", build, files)).toEqual(allowed);
	expect(await afterwards("delete", { rawInput: { path: "build/" } }, at("link/build/js/b.js"))).toEqual(allowed);
	expect(await afterwards("delete", at("."), files)).toEqual(allowed);
	await rm(join(folder, "build"), { recursive: true });
	expect(await afterwards("delete", build, at("link/build/js/b.js"))).toEqual(allowed);
	const another = { unpermitted: "another", allowed: "delete build", reported: "delete builder/a.js" };
	expect(await afterwards("delete", build, at("build/a.js", "builder/a.js"))).toEqual(another);
	expect(await afterwards("delete", build, at("build/../one.txt"))).toMatchObject({ unpermitted: "another" });
	// The working directory beside a file only says where the file is.
	expect(await afterwards("edit", at(".", "one.txt"), at("two.txt"))).toMatchObject({ unpermitted: "another" });
	expect(await afterwards("edit", at("..", "one.txt"), at("two.txt"))).toMatchObject({ unpermitted: "another" });
});

it("nothing is said where the files that were allowed are not all known, nor of commands and moves", async () => {
	const allowed = { unpermitted: undefined };
	expect(await afterwards("edit", {}, at("two.txt"))).toEqual(allowed);
	expect(await afterwards("edit", { rawInput: { path: 7 } }, at("two.txt"))).toEqual(allowed);
	expect(await afterwards("edit", { rawInput: { path: "one.txt", content: "x".repeat(40_000) } }, at("two.txt"))).toEqual(allowed);
	expect(await afterwards("execute", { rawInput: { command: "make" }, ...one }, at("two.txt"))).toEqual(allowed);
	expect(await afterwards("move", one, at("one.txt", "two.txt"))).toEqual(allowed);
	expect(await afterwards("edit", one, { ...at("two.txt"), status: "failed" })).toEqual(allowed);
});

it("an agent that asks for one file and writes another is caught in its turn", async () => {
	await using bench = await AcpBench.open();
	const call = (more: object) => JSON.stringify({ toolCallId: "ask-notes", kind: "edit", title: "notes", ...more });
	const [asks, does] = [
		call({ sessionUpdate: "tool_call", status: "pending", ...at("one.txt") }),
		call({ sessionUpdate: "tool_call_update", status: "completed", ...at("two.txt") }),
	];
	const { sink } = await bench.run(`UNRULY:UPDATE ${asks} ;; ASK_BARE ask-notes notes ;; UPDATE ${does}`);
	expect(sink.of("tool_call").at(-1)).toMatchObject({
		unpermitted: "another",
		swapped: { allowed: "edit one.txt", reported: "edit two.txt" },
	});
});
