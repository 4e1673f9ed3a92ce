import { mkdir, mkdtemp, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Preview, ToolCallId, type ToolKind } from "@xworkmate/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CallBook } from "../../../src/providers/acp/turn/call-book.ts";
import { EditsFound } from "../../../src/providers/acp/turn/edits-found.ts";
import { OpenCalls } from "../../../src/providers/acp/turn/open-calls.ts";

/** Files that have not changed since the turn began. */
const [OLD, OLDER] = ["/etc/passwd", "/etc/group"] as const;
let folder: string;
let edits: EditsFound;

beforeEach(async () => {
	folder = await realpath(await mkdtemp(join(tmpdir(), "moves-found-")));
	edits = new EditsFound(new OpenCalls());
	await edits.begin(folder);
	await writeFile(join(folder, "a.txt"), "new");
});

afterEach(async () => {
	await rm(folder, { recursive: true, force: true });
});

interface Report {
	readonly toolKind?: ToolKind;
	readonly paths?: readonly string[];
	readonly title?: string;
	readonly command?: string;
	readonly input?: Readonly<Record<string, string>>;
}

/** What is found when an agent reports that it moved a file. */
async function found({ toolKind = "move", paths = [], title = "Move", command, input: given }: Report, isNoticed = true) {
	const toolCallId = ToolCallId.parse(isNoticed ? "move-1" : "another-1");
	const locations = paths.map((path) => ({ path }));
	const rawInput = command === undefined ? given && { rawInput: given } : { rawInput: { command } };
	const facts = new CallBook().see(toolCallId, { content: [], locations, isTitleCut: false, ...rawInput });
	if (isNoticed) edits.notice(facts, folder);
	const input: { input?: Preview } = command === undefined ? {} : { input: { text: JSON.stringify({ command }), truncated: false } };
	return edits.look({ kind: "tool_call", toolCallId, title, toolKind, state: "completed", ...input }, facts, folder);
}

it("a move whose target is missing is not confirmed, and the target is named", async () => {
	for (const report of [{ paths: [OLD, "b.txt"] }, { command: `mv ${OLD} b.txt` }, { title: `mv -f ${OLD} ./b.txt` }])
		expect(await found(report), JSON.stringify(report)).toMatchObject({ notFound: true, examined: ["b.txt"] });
	// A missing source is what a move leaves behind.
	for (const report of [{ paths: ["none.txt", "b.txt"] }, { paths: ["b.txt"], title: "mv none.txt b.txt" }])
		expect(await found(report), JSON.stringify(report)).toMatchObject({ notFound: true, examined: ["b.txt"] });
	await writeFile(join(folder, "b.txt"), "late");
	expect(await edits.lookAgain(folder)).toEqual([expect.objectContaining({ toolKind: "move", notFound: false })]);
});

it("a move whose source is still there, and whose target is not, was not made, also if the source is new", async () => {
	for (const report of [{ command: "mv a.txt b.txt" }, { paths: ["b.txt"], title: "mv a.txt b.txt" }])
		expect(await found(report), JSON.stringify(report)).toMatchObject({ notFound: true, examined: ["b.txt"] });
	expect(await edits.lookAgain(folder)).toEqual([]);
	await rename(join(folder, "a.txt"), join(folder, "b.txt"));
	expect(await edits.lookAgain(folder)).toEqual([expect.objectContaining({ toolKind: "move", notFound: false })]);
});

it("a move that its title or its input says was not made while its source is there and its target is not, also if it is new", async () => {
	const [from, to] = [join(folder, "a.txt"), join(folder, "z.txt")];
	for (const paths of [
		[from, to],
		[to, from],
	])
		for (const title of ["Move a.txt to z.txt", "Renamed `./a.txt` → `z.txt`"])
			expect(await found({ paths, title }), `${title} ${paths}`).toMatchObject({ notFound: true, examined: ["z.txt"] });
	expect(await found({ input: { source: from, destination: to } })).toMatchObject({ notFound: true, examined: ["z.txt"] });
	// A title that names none of the paths, or one of them as a folder, says nothing.
	await writeFile(join(folder, "b.txt"), "new");
	for (const report of [
		{ paths: [from, to], title: "Move the file to its place" },
		{ paths: [from, to], title: "Move a to z" },
		{ input: { source: "a.txt", destination: "z.txt" } },
		{ paths: [from, join(folder, "b.txt")], title: "Move a.txt to b.txt" },
	])
		expect(await found(report), JSON.stringify(report)).not.toMatchObject({ notFound: true });
	await rename(from, to);
	expect(await found({ paths: [from, to], title: "Move a.txt to z.txt" })).not.toMatchObject({ notFound: true });
});

it("a move of a file that the turn has made was not made while that file is where it was, whichever path is named first", async () => {
	await found({ toolKind: "edit", paths: ["a.txt"] }, false);
	for (const paths of [
		["a.txt", "z.txt"],
		["z.txt", "a.txt"],
	])
		expect(await found({ paths })).toMatchObject({ notFound: true, examined: ["z.txt"] });
	await rename(join(folder, "a.txt"), join(folder, "z.txt"));
	expect(await edits.lookAgain(folder)).toEqual([expect.objectContaining({ toolKind: "move", notFound: false })]);
	for (const paths of [
		["a.txt", "z.txt"],
		["z.txt", "a.txt"],
	])
		expect(await found({ paths })).not.toHaveProperty("notFound");
});

it("a move after which its files are as they were is not confirmed", async () => {
	expect(await found({ paths: [OLD, OLDER] })).toMatchObject({ untouched: true, examined: [OLD, OLDER] });
});

it("a move whose source was seen, and is gone, is contradicted by its target alone", async () => {
	for (const paths of [
		["b.txt", "a.txt"],
		[OLD, "a.txt"],
	])
		await found({ toolKind: "read", paths });
	await rm(join(folder, "a.txt"));
	expect(await found({ paths: ["b.txt", "a.txt"] })).toMatchObject({ notFound: true, examined: ["b.txt"] });
	expect(await found({ paths: [OLD, "a.txt"] })).toMatchObject({ untouched: true, examined: [OLD] });
});

it("nothing contradicts a move that was made, or about which the files say nothing", async () => {
	await rename(join(folder, "a.txt"), join(folder, "b.txt"));
	for (const report of [
		{ paths: ["a.txt", "b.txt"] },
		{ paths: ["b.txt", "a.txt"] },
		{ paths: ["a.txt"] },
		{ paths: ["b.txt"] },
		{ paths: ["a.txt", "."] },
		{ command: "mv a.txt b.txt" },
		{ command: "mv *.txt elsewhere" },
		{ command: "cd sub && mv x y" },
		{ title: "Move x to y" },
	]) {
		const now = await found(report);
		for (const finding of ["notFound", "untouched", "stillThere", "notHeld"])
			expect(now, JSON.stringify(report)).not.toHaveProperty(finding);
	}
});

it("nothing contradicts a move whose command names the target first", async () => {
	await mkdir(join(folder, "sub"));
	await rename(join(folder, "a.txt"), join(folder, "sub/a.txt"));
	for (const report of [{ command: "mv -t sub a.txt" }, { title: "mv -f -vt sub ./a.txt" }])
		expect(await found(report), JSON.stringify(report)).not.toHaveProperty("notFound");
	await writeFile(join(folder, "a.txt"), "again");
	expect(await found({ command: "mv -fT a.txt b.txt" })).toMatchObject({ notFound: true, examined: ["b.txt"] });
});

it("a move is confirmed if the file that was seen at its old place is at the new one", async () => {
	const write = (name: string) => writeFile(join(folder, name), name);
	const moved = async (report: Report, move: () => Promise<void>) => {
		await found(report);
		// Waits until the file was seen.
		for (const name of ["a.txt", "b.txt", "c.txt", "e.txt"]) await found({ toolKind: "delete", paths: [name] }, false);
		await move();
		return found(report);
	};
	const to = (from: string, place: string) => () => rename(join(folder, from), join(folder, place));
	expect(await moved({ paths: ["a.txt", "b.txt"] }, to("a.txt", "b.txt"))).toMatchObject({ stillThere: false });
	await mkdir(join(folder, "sub"));
	expect(await moved({ paths: ["b.txt", "sub"] }, to("b.txt", "sub/b.txt"))).toMatchObject({ stillThere: false });
	await write("c.txt");
	expect(await moved({ command: "mv c.txt d.txt" }, to("c.txt", "d.txt"))).toMatchObject({ stillThere: false });
	// The file is deleted, and another is made.
	await write("e.txt");
	const copied = async () => {
		const { birthtimeNs: born } = await stat(join(folder, "e.txt"), { bigint: true });
		await rm(join(folder, "e.txt"));
		do {
			await rm(join(folder, "f.txt"), { force: true });
			await write("f.txt");
		} while ((await stat(join(folder, "f.txt"), { bigint: true })).birthtimeNs === born);
	};
	expect(await moved({ paths: ["e.txt", "f.txt"] }, copied)).not.toHaveProperty("stillThere");
	// Nobody saw the file at its old place.
	await write("g.txt");
	await to("g.txt", "h.txt")();
	expect(await found({ paths: ["g.txt", "h.txt"] })).not.toHaveProperty("stillThere");
});

it("an edit of two files, of which one is as it was and the other is not there, is not confirmed", async () => {
	const toolKind = "edit" as const;
	expect(await found({ toolKind, paths: [OLD, "b.txt"] })).toMatchObject({ untouched: true, examined: [OLD] });
	await rename(join(folder, "a.txt"), join(folder, "b.txt"));
	expect(await found({ toolKind, paths: ["a.txt", "b.txt"] })).not.toMatchObject({ untouched: true });
});

it("an edit that removes a file that was there is not said to have changed nothing", async () => {
	await found({ toolKind: "read", paths: ["a.txt"] });
	await rm(join(folder, "a.txt"));
	expect(await found({ toolKind: "edit", paths: ["a.txt", OLD] })).not.toHaveProperty("untouched");
});
