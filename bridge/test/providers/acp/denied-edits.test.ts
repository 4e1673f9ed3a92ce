import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolCallId, type ToolKind } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DeniedEdits } from "../../../src/providers/acp/turn/denied-edits.ts";
import { OpenCalls } from "../../../src/providers/acp/turn/open-calls.ts";
import { AcpBench } from "./support/acp-bench.ts";

const toolCallId = ToolCallId.parse("c1");
const other = ToolCallId.parse("c2");
let folder: string;
let edits: DeniedEdits;

beforeEach(async () => {
	folder = await realpath(await mkdtemp(join(tmpdir(), "denied-edits-")));
	edits = new DeniedEdits(new OpenCalls());
	await writeFile(join(folder, "a.txt"), "before");
	await edits.denied(toolCallId, [], ["a.txt", "b.txt"], folder);
});

afterEach(async () => {
	await rm(folder, { recursive: true, force: true });
});

const write = (name: string, text = "after") => writeFile(join(folder, name), text);
const reported = (toolKind: ToolKind, state: "pending" | "running" | "completed" | "denied", ...paths: readonly string[]) =>
	edits.reported({ toolCallId: other, toolKind, state }, new Set(paths), folder);

it("a file whose edit was denied and that has changed since is found, though nothing is known of the edit's text", async () => {
	await write("a.txt");
	expect(await edits.made()).toEqual([{ toolCallId, paths: ["a.txt"], onlyChanged: true }]);
	expect(await edits.made()).toEqual([]);
	await edits.denied(toolCallId, [], ["a.txt", "b.txt"], folder);
	await write("b.txt", "new");
	await rm(join(folder, "a.txt"));
	expect(await edits.made()).toEqual([{ toolCallId, paths: ["a.txt", "b.txt"], onlyChanged: true }]);
});

it("one that holds what it held is not, whatever its time says", async () => {
	await write("a.txt", await readFile(join(folder, "a.txt"), "utf8"));
	expect(await edits.made()).toEqual([]);
});

it("nor is one that another call may have changed", async () => {
	await write("a.txt");
	reported("read", "completed", "a.txt");
	reported("execute", "pending");
	reported("execute", "denied");
	reported("edit", "completed", "b.txt");
	expect(await edits.made()).toEqual([{ toolCallId, paths: ["a.txt"], onlyChanged: true }]);
	for (const change of [
		() => reported("edit", "completed", "a.txt"),
		() => reported("execute", "running"),
		() => reported("other", "completed"),
		() => edits.allowed(other, "execute", [], folder),
	]) {
		edits = new DeniedEdits(new OpenCalls());
		await write("a.txt", "before");
		await edits.denied(toolCallId, [], ["a.txt"], folder);
		await write("a.txt");
		change();
		expect(await edits.made()).toEqual([]);
	}
});

describe("a call that has not ended when an edit is denied may change the file later", () => {
	const diff = (path: string) => [{ path, newText: "more", truncated: false }];

	it.each<[string, () => void]>([
		["a command that runs", () => reported("execute", "running")],
		["a command that was allowed", () => edits.allowed(other, "execute", [], folder)],
		["an edit of the file that runs", () => reported("edit", "running", "a.txt")],
		["an edit of the file that was allowed", () => edits.allowed(other, "edit", diff("a.txt"), folder)],
		[
			"one that was allowed for another file and then runs on this one too",
			() => {
				edits.allowed(other, "edit", diff("b.txt"), folder);
				reported("edit", "running", "a.txt");
			},
		],
	])("%s", async (_, begins) => {
		begins();
		await edits.denied(toolCallId, [], ["a.txt"], folder);
		await write("a.txt");
		expect(await edits.made()).toEqual([]);
		reported("edit", "completed", "a.txt");
		await edits.denied(toolCallId, [], ["a.txt"], folder);
		await write("a.txt", "once more");
		expect(await edits.made()).toEqual([{ toolCallId, paths: ["a.txt"], onlyChanged: true }]);
	});

	it("but not one of another file, nor a denied one that was reported as running", async () => {
		edits.allowed(other, "edit", diff("b.txt"), folder);
		edits.reported({ toolCallId, toolKind: "edit", state: "running" }, new Set(["a.txt"]), folder);
		await edits.denied(toolCallId, [], ["a.txt", "b.txt"], folder);
		await write("a.txt");
		await write("b.txt");
		expect(await edits.made()).toEqual([{ toolCallId, paths: ["a.txt"], onlyChanged: true }]);
	});

	it("and one that begins while the file is read for the denial", async () => {
		edits = new DeniedEdits(new OpenCalls());
		const denied = edits.denied(toolCallId, diff("a.txt"), ["a.txt"], folder);
		edits.allowed(other, "execute", [], folder);
		await denied;
		await write("a.txt", "more");
		expect(await edits.made()).toEqual([]);
	});
});

it("a turn says so of an edit that was denied by its path alone", async () => {
	await using bench = await AcpBench.open();
	const path = "$XWORKMATE_ARTIFACT_DIRECTORY/notes.txt";
	const call = { sessionUpdate: "tool_call", toolCallId: "c1", title: "notes", kind: "edit", status: "pending", locations: [{ path }] };
	const asks = `UNRULY:WRITE ${path} before ;; UPDATE ${JSON.stringify(call)} ;; ASK_BARE c1 notes`;
	const { sink, outcome } = await bench.begin(`${asks} ;; WRITE ${path} after`);
	sink.answering = async () => ({ decision: "deny" });
	await outcome;
	expect(sink.of("tool_call").at(-1)).toMatchObject({ state: "denied", unpermitted: "found", onlyChanged: true });
	const left = await bench.begin(asks);
	left.sink.answering = async () => ({ decision: "deny" });
	await left.outcome;
	expect(left.sink.of("tool_call").at(-1)?.unpermitted).toBeUndefined();
});
