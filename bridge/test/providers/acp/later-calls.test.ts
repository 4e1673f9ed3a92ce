import { mkdtemp, realpath, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type ToolCall, ToolCallId } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CallBook } from "../../../src/providers/acp/turn/call-book.ts";
import { EditsFound } from "../../../src/providers/acp/turn/edits-found.ts";
import { OpenCalls } from "../../../src/providers/acp/turn/open-calls.ts";

let folder: string;
let edits: EditsFound;

beforeEach(async () => {
	folder = await realpath(await mkdtemp(join(tmpdir(), "later-calls-")));
	edits = new EditsFound(new OpenCalls());
	await edits.begin(folder);
});

afterEach(async () => {
	vi.useRealTimers();
	await rm(folder, { recursive: true, force: true });
});

interface Call extends Pick<ToolCall, "toolKind"> {
	readonly paths?: readonly string[];
	readonly title?: string;
	readonly newText?: string;
	readonly state?: ToolCall["state"];
}

/** Reports calls at once, so that all were made before the files of the first are examined. Returns what is found about each. */
async function reported(...calls: readonly Call[]) {
	const received = calls.map(({ toolKind, paths = [], title = "A call", newText, state = "completed" }, index) => {
		const toolCallId = ToolCallId.parse(`call-${index}`);
		const facts = new CallBook().see(toolCallId, { content: [], locations: paths.map((path) => ({ path })), isTitleCut: false });
		const diff = newText === undefined ? {} : { diff: [{ path: paths[0] ?? "", newText, truncated: false }] };
		const update = { kind: "tool_call", toolCallId, title, toolKind, state, ...diff } as const;
		edits.notice(facts, folder);
		edits.received(update, facts, folder);
		return { update, facts };
	});
	const found: unknown[] = [];
	for (const { update, facts } of received) found.push(against(await edits.look(update, facts, folder)));
	return found;
}

const against = (found: object) => ["notFound", "untouched", "notHeld", "stillThere"].filter((key) => Reflect.get(found, key) === true);

describe("reports that arrive at once are not held against what later calls have done:", () => {
	it("a file that a command ran and that was then deleted", async () => {
		expect(
			await reported(
				{ toolKind: "edit", paths: ["tmp.py"], newText: "print(1)" },
				{ toolKind: "execute", title: "python tmp.py" },
				{ toolKind: "delete", paths: ["tmp.py"] },
			),
		).toEqual([[], [], []]);
		expect(await edits.lookAgain(folder)).toEqual([]);
	});

	it("a file that was then moved, with its folder or alone", async () => {
		await writeFile(join(folder, "x.txt"), "x");
		const move = { toolKind: "move", paths: ["x.txt.tmp", "x.txt"], title: "Move x.txt.tmp to x.txt" } as const;
		expect(await reported({ toolKind: "edit", paths: ["x.txt.tmp"], newText: "x" }, move)).toEqual([[], []]);
		expect(await reported({ toolKind: "edit", paths: ["old/a.txt"] }, { toolKind: "delete", paths: ["old"] })).toEqual([[], []]);
	});

	it("a file that a command changed that was already running", async () => {
		await writeFile(join(folder, "code.js"), "const a = 1;\n");
		const watch = { toolKind: "execute", title: "npx prettier --watch", state: "running" } as const;
		const write = { toolKind: "edit", paths: ["code.js"], newText: "const a=1" } as const;
		expect(await reported(watch, write)).toEqual([[], []]);
	});

	it("a file that a command then formatted", async () => {
		await writeFile(join(folder, "code.js"), "const a = 1;\n");
		const write = { toolKind: "edit", paths: ["code.js"], newText: "const a=1" } as const;
		expect(await reported(write, { toolKind: "execute", title: "npx prettier -w code.js", state: "running" })).toEqual([[], []]);
	});

	it("a deleted file that was then created again", async () => {
		await writeFile(join(folder, "keep.txt"), "new");
		const again = { toolKind: "edit", paths: ["keep.txt"], newText: "new" } as const;
		expect(await reported({ toolKind: "delete", paths: ["keep.txt"] }, again)).toEqual([[], []]);
	});
});

describe("is found although other calls were reported at once:", () => {
	const ghost = { toolKind: "edit", paths: ["ghost.txt"], newText: "boo" } as const;

	it.each<[string, Call]>([
		["another file's deletion", { toolKind: "delete", paths: ["other.txt"] }],
		["a search", { toolKind: "search", paths: ["ghost.txt"] }],
		["a command that has not begun", { toolKind: "execute", title: "rm ghost.txt", state: "pending" }],
		["a deletion that failed", { toolKind: "delete", paths: ["ghost.txt"], state: "failed" }],
		["an edit that names no file", { toolKind: "edit" }],
	])("a file that was not written, beside %s", async (_name, other) => {
		expect((await reported(ghost, other))[0]).toEqual(["notFound"]);
	});

	it("a file that was not deleted, beside another deletion", async () => {
		await writeFile(join(folder, "keep.txt"), "x");
		expect((await reported({ toolKind: "delete", paths: ["keep.txt"] }, { toolKind: "delete" }))[0]).toEqual(["stillThere"]);
	});

	it("what an earlier call can't have done, and what has certainly not changed since the turn began", async () => {
		expect((await reported({ toolKind: "execute", title: "rm ghost.txt" }, ghost))[1]).toEqual(["notFound"]);
		const command = { toolKind: "execute", title: "make" } as const;
		expect((await reported({ toolKind: "delete", paths: ["/etc/passwd"] }, command))[0]).toEqual(["stillThere"]);
	});

	const later = {
		kind: "tool_call",
		toolCallId: ToolCallId.parse("later"),
		title: "make",
		toolKind: "execute",
		state: "completed",
	} as const;

	it("that a file lacked the reported text before a later call was reported", async () => {
		await writeFile(join(folder, "ghost.txt"), "BOO");
		expect(await reported(ghost)).toEqual([["notHeld"]]);
		edits.received(later, undefined, folder);
		expect(await edits.lookAgain(folder)).toEqual([]);
	});

	it("what was found before a later call was reported", async () => {
		await reported(ghost);
		edits.received(later, undefined, folder);
		expect(await edits.lookAgain(folder)).toEqual([]);
		// What the file lacks only now may be the command's doing.
		await writeFile(join(folder, "ghost.txt"), "BOO");
		const [now] = await edits.lookAgain(folder);
		expect(now).toMatchObject({ notFound: false });
		expect(now).not.toHaveProperty("notHeld");
	});
});

describe("what was found before the agent removed the file stays, so that a report of a change that was not made is not taken back:", () => {
	const removeLater = () => {
		const facts = new CallBook().see(ToolCallId.parse("removal"), { content: [], locations: [{ path: "a.txt" }], isTitleCut: false });
		const removal = { kind: "tool_call", toolCallId: ToolCallId.parse("removal"), title: "Delete", toolKind: "delete" } as const;
		edits.received({ ...removal, state: "completed" }, facts, folder);
		return rm(join(folder, "a.txt"));
	};

	it("a file without the reported text", async () => {
		await writeFile(join(folder, "a.txt"), "old");
		expect(await reported({ toolKind: "edit", paths: ["a.txt"], newText: "new" })).toEqual([["notHeld"]]);
		await removeLater();
		expect(await edits.lookAgain(folder)).toEqual([]);
	});

	it("a file that was not touched", async () => {
		await writeFile(join(folder, "a.txt"), "old");
		vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
		edits = new EditsFound(new OpenCalls());
		expect(await reported({ toolKind: "edit", paths: ["a.txt"], newText: "new" })).toEqual([["untouched"]]);
		await removeLater();
		expect(await edits.lookAgain(folder)).toEqual([]);
	});
});

it("a file that is named by its address is looked for at its path", async () => {
	const path = join(folder, "a b.txt");
	await writeFile(path, "text");
	const address = pathToFileURL(path).href;
	const toolCallId = ToolCallId.parse("uri");
	const facts = new CallBook().see(toolCallId, { content: [], locations: [{ path: address }], isTitleCut: false });
	const diff = [{ path: address, newText: "text", truncated: false }];
	const report = { kind: "tool_call", toolCallId, title: "Edit", toolKind: "edit", state: "completed", diff } as const;
	expect(await edits.look(report, facts, folder)).toMatchObject({ untouched: false, examined: ["a b.txt"] });
	await rename(path, join(folder, "gone.txt"));
	expect(await edits.look(report, facts, folder)).toMatchObject({ notFound: true, examined: ["a b.txt"] });
});
