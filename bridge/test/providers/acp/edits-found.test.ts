import { mkdtemp, realpath, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type Diff, ToolCallId } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ProviderUpdate } from "../../../src/ports/runs/run-event.ts";
import { CallBook } from "../../../src/providers/acp/turn/call-book.ts";
import { EditsFound } from "../../../src/providers/acp/turn/edits-found.ts";
import { OpenCalls } from "../../../src/providers/acp/turn/open-calls.ts";

const HOUR_MS = 60 * 60_000;
let folder: string;

beforeEach(async () => {
	folder = await realpath(await mkdtemp(join(tmpdir(), "edits-found-")));
});

afterEach(async () => {
	vi.useRealTimers();
	await rm(folder, { recursive: true, force: true });
});

/** What is found when an agent reports an edit of the file as done. */
async function found(edits: EditsFound, path: string, diff?: readonly Diff[]) {
	const toolCallId = ToolCallId.parse("edit-1");
	const facts = new CallBook().see(toolCallId, { content: [], locations: [{ path }], isTitleCut: false });
	const report: ProviderUpdate = { kind: "tool_call", toolCallId, title: "Edit", toolKind: "edit", state: "completed" };
	return edits.look(diff === undefined ? report : { ...report, diff: [...diff] }, facts, folder);
}

it("an update names the files that were looked at, whatever the agent calls the call", async () => {
	const edits = new EditsFound(new OpenCalls());
	await edits.begin(folder);
	const look = async (id: string, toolKind: "edit" | "delete", ...paths: readonly string[]) => {
		const toolCallId = ToolCallId.parse(id);
		const facts = new CallBook().see(toolCallId, { content: [], locations: paths.map((path) => ({ path })), isTitleCut: false });
		edits.notice(facts, folder);
		return edits.look({ kind: "tool_call", toolCallId, title: "Write report.pdf", toolKind, state: "completed" }, facts, folder);
	};
	await writeFile(join(folder, "tiny2.txt"), "x");
	expect(await look("c1", "edit", join(folder, "tiny2.txt"))).toMatchObject({ untouched: false, examined: ["tiny2.txt"] });
	expect(await look("c2", "edit", "ghost.txt")).toMatchObject({ notFound: true, examined: ["ghost.txt"] });
	expect(await look("c3", "delete", "ghost.txt", "tiny2.txt")).toMatchObject({ stillThere: true, examined: ["tiny2.txt"] });
	expect(await look("c4", "delete", process.execPath)).toMatchObject({ stillThere: true, examined: [process.execPath] });
	await rm(join(folder, "tiny2.txt"));
	expect(await edits.lookAgain(folder)).toEqual([
		expect.objectContaining({ toolCallId: "c3", stillThere: false, examined: ["tiny2.txt"] }),
	]);
});

it("only a file that was seen before is called deleted, by the path that the agent named", async () => {
	const edits = new EditsFound(new OpenCalls());
	const book = new CallBook();
	const named = (id: string, ...paths: readonly string[]) =>
		book.see(ToolCallId.parse(id), { content: [], locations: paths.map((path) => ({ path })), isTitleCut: false });
	const done = (id: string) =>
		({ kind: "tool_call", toolCallId: ToolCallId.parse(id), title: "Delete", toolKind: "delete", state: "completed" }) as const;
	await writeFile(join(folder, "main.js"), "x");
	await writeFile(join(folder, "there.txt"), "x");
	await writeFile(join(folder, "fresh.txt"), "another change in the folder");
	const never = ["one.db", "none/one.db", "main.js ", "~/.ssh/id_rsa", "*.js", "main.js:1"];
	for (const path of never) {
		edits.notice(named(path, path), folder);
		expect(await edits.look(done(path), named(path, path), folder), path).not.toHaveProperty("stillThere");
	}
	const announced = named("c1", "there.txt", join(folder, "there.txt"), "never.txt");
	edits.notice(announced, folder);
	expect(await edits.look(done("c1"), announced, folder)).toMatchObject({ stillThere: true, examined: ["there.txt"] });
	await rm(join(folder, "there.txt"));
	expect(await edits.lookAgain(folder)).toEqual([expect.objectContaining({ stillThere: false, examined: ["there.txt"] })]);
});

describe("what the file of a reported edit shows", () => {
	const setClock = (ms: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });

	it("is an edit, though the file system's clock is behind the bridge's", async () => {
		setClock(HOUR_MS);
		const edits = new EditsFound(new OpenCalls());
		await edits.begin(folder);
		const path = join(folder, "a.txt");
		await writeFile(path, "new");
		expect(await found(edits, path)).toMatchObject({ untouched: false });
		expect(await found(edits, process.execPath)).toMatchObject({ untouched: true });
	});

	it("is an edit, though the computer's clock was set back since the turn began", async () => {
		setClock(HOUR_MS);
		const edits = new EditsFound(new OpenCalls());
		vi.useRealTimers();
		const path = join(folder, "a.txt");
		await writeFile(path, "new");
		expect(await found(edits, path)).toMatchObject({ untouched: false });
	});

	it.each([
		["Latin-1", Buffer.from("na\u00efve text", "latin1")],
		["UTF-16", Buffer.from("na\u00efve text", "utf16le")],
	])("is not missed in a file in %s, which can't be compared with the report", async (_name, bytes) => {
		const edits = new EditsFound(new OpenCalls());
		const path = join(folder, "a.txt");
		await writeFile(path, bytes);
		const diff = [{ path, newText: "na\u00efve text", truncated: false }];
		expect(await found(edits, path, diff)).not.toHaveProperty("notHeld");
		await writeFile(path, "other text");
		expect(await found(edits, path, diff)).toMatchObject({ notHeld: true });
	});

	describe("that holds what it held before", () => {
		const path = () => join(folder, "a.txt");
		const edit = (edits: EditsFound, id = "edit-1") => {
			const toolCallId = ToolCallId.parse(id);
			const facts = new CallBook().see(toolCallId, { content: [], locations: [{ path: path() }], isTitleCut: false });
			edits.notice(facts, folder);
			return edits.look({ kind: "tool_call", toolCallId, title: "Edit", toolKind: "edit", state: "completed" }, facts, folder);
		};

		/** The edits of a turn that began an hour after the file was written, and then, by the same clock, now. */
		async function begun(): Promise<EditsFound> {
			await writeFile(path(), "before");
			setClock(HOUR_MS);
			const edits = new EditsFound(new OpenCalls());
			expect(await edit(edits)).toMatchObject({ untouched: true });
			vi.useRealTimers();
			return edits;
		}

		it("is none, whatever the file's time says", async () => {
			const edits = await begun();
			await writeFile(path(), "before");
			expect(await edit(edits)).toMatchObject({ untouched: true, examined: ["a.txt"] });
			expect(await edits.lookAgain(folder)).toEqual([]);
			await writeFile(path(), "after");
			expect(await edits.lookAgain(folder)).toEqual([expect.not.objectContaining({ untouched: true })]);
		});

		it("may be one of several edits, of which one undid another", async () => {
			const edits = await begun();
			await writeFile(path(), "after");
			expect(await edit(edits)).not.toMatchObject({ untouched: true });
			await writeFile(path(), "before");
			expect(await edit(edits, "edit-2")).not.toMatchObject({ untouched: true });
		});

		const reported = (calls: OpenCalls, toolKind: "execute" | "edit", state: "running" | "completed") =>
			calls.reported({ toolCallId: ToolCallId.parse("other-1"), toolKind, state }, new Set(), folder);

		/** The edits and the calls of a turn in which the file was read. Another file's edit is the sign that its content is known. */
		async function read() {
			await writeFile(path(), "before");
			setClock(HOUR_MS);
			const calls = new OpenCalls();
			const edits = new EditsFound(calls);
			const notice = () => edits.notice(facts, folder);
			const facts = new CallBook().see(ToolCallId.parse("read-1"), { content: [], locations: [{ path: path() }], isTitleCut: false });
			const known = async () => {
				edits.notice(
					new CallBook().see(ToolCallId.parse("read-2"), { content: [], locations: [{ path: folder }], isTitleCut: false }),
					folder,
				);
				await found(edits, folder);
			};
			notice();
			await known();
			return { edits, calls, notice, known };
		}

		it.each<[string, (calls: OpenCalls) => void]>([
			["a command that was reported as done", (calls) => reported(calls, "execute", "completed")],
			["a command that is still running", (calls) => reported(calls, "execute", "running")],
			["a command that was allowed", (calls) => calls.allowed(ToolCallId.parse("other-1"), "execute", new Set(), folder)],
			["an edit that names no file", (calls) => reported(calls, "edit", "completed")],
		])("may be an edit that undoes what another call did: %s", async (_, begins) => {
			const { edits, calls } = await read();
			vi.useRealTimers();
			begins(calls);
			await writeFile(path(), "after");
			await writeFile(path(), "before");
			expect(await edit(edits, "edit-2")).not.toMatchObject({ untouched: true });
		});

		it("is none, though other edits were allowed or begin, and though a command begins after it was reported as done", async () => {
			const { edits, calls } = await read();
			vi.useRealTimers();
			calls.allowed(ToolCallId.parse("edit-1"), "edit", new Set(), folder);
			await writeFile(path(), "before");
			expect(await edit(edits)).toMatchObject({ untouched: true });
			reported(calls, "execute", "running");
			expect(await edits.lookAgain(folder)).toEqual([]);
		});

		it("is none, though a command ran before that left the file as it was", async () => {
			const { edits, calls, notice, known } = await read();
			reported(calls, "execute", "running");
			notice();
			reported(calls, "execute", "completed");
			notice();
			await known();
			vi.useRealTimers();
			await writeFile(path(), "before");
			expect(await edit(edits)).toMatchObject({ untouched: true });
		});

		it("is known only of as many bytes as a turn reads, of which few are in memory at a time", async () => {
			const MIB = 1024 * 1024;
			const names = Array.from({ length: 20 }, (_, index) => join(folder, `${index}.bin`));
			for (const name of names) {
				await writeFile(name, "");
				await truncate(name, 4 * MIB);
			}
			setClock(HOUR_MS);
			const edits = new EditsFound(new OpenCalls());
			const locations = names.map((name) => ({ path: name }));
			const before = process.memoryUsage().arrayBuffers;
			edits.notice(new CallBook().see(ToolCallId.parse("read-1"), { content: [], locations, isTitleCut: false }), folder);
			let peak = 0;
			const settled = found(edits, names.at(-1) ?? "").then((update) => ({ update }));
			let done: Awaited<typeof settled> | undefined;
			while (done === undefined) {
				done = await Promise.race([settled, setImmediate(undefined)]);
				peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
			}
			expect(done.update).toMatchObject({ untouched: true });
			expect(peak).toBeLessThan(8 * MIB);
			vi.useRealTimers();
			const [first = "", last = ""] = [names[0], names.at(-1)];
			for (const name of [first, last]) await utimes(name, 0, 0);
			expect(await found(edits, first)).toMatchObject({ untouched: true });
			expect(await found(edits, last)).not.toMatchObject({ untouched: true });
		});

		it("may have been edited before anyone looked", async () => {
			const edits = new EditsFound(new OpenCalls());
			await edits.begin(folder);
			await writeFile(path(), "after");
			expect(await edit(edits)).not.toMatchObject({ untouched: true });
		});
	});
});
