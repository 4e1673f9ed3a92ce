import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Diff, ToolCallId } from "@xworkmate/contracts";
import { FILE_TIME_STEP_MS } from "@xworkmate/platform/files";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ProviderUpdate } from "../../../src/ports/runs/run-event.ts";
import { CallBook } from "../../../src/providers/acp/turn/call-book.ts";
import { EditsFound } from "../../../src/providers/acp/turn/edits-found.ts";

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
	const edits = new EditsFound();
	await edits.begin(folder);
	const look = async (id: string, toolKind: "edit" | "delete", ...paths: readonly string[]) => {
		const toolCallId = ToolCallId.parse(id);
		const facts = new CallBook().see(toolCallId, { content: [], locations: paths.map((path) => ({ path })), isTitleCut: false });
		return edits.look({ kind: "tool_call", toolCallId, title: "Write report.pdf", toolKind, state: "completed" }, facts, folder);
	};
	await writeFile(join(folder, "tiny2.txt"), "x");
	expect(await look("c1", "edit", join(folder, "tiny2.txt"))).toMatchObject({ untouched: false, examined: ["tiny2.txt"] });
	expect(await look("c2", "edit", "ghost.txt")).toMatchObject({ notFound: true, examined: ["ghost.txt"] });
	expect(await look("c3", "delete", "ghost.txt", "tiny2.txt")).toMatchObject({ stillThere: true, examined: ["tiny2.txt"] });
	expect(await look("c4", "delete", process.execPath)).toMatchObject({ stillThere: true, examined: [process.execPath] });
	await rm(join(folder, "tiny2.txt"));
	expect(await edits.lookAgain(folder)).toEqual([
		expect.objectContaining({ toolCallId: "c3", stillThere: false, examined: ["ghost.txt", "tiny2.txt"] }),
	]);
});

it("a deletion is shown only where something can have been deleted in the turn", async () => {
	const quiet = join(folder, "quiet");
	await mkdir(quiet);
	await writeFile(join(quiet, "there.txt"), "x");
	await delay(FILE_TIME_STEP_MS + 100);
	const edits = new EditsFound();
	await edits.begin(await mkdtemp(join(folder, "turn-")));
	const look = async (id: string, path: string) => {
		const toolCallId = ToolCallId.parse(id);
		const facts = new CallBook().see(toolCallId, { content: [], locations: [{ path }], isTitleCut: false });
		const report = { kind: "tool_call", toolCallId, title: "Delete", toolKind: "delete", state: "completed" } as const;
		return await edits.look(report, facts, folder);
	};
	for (const path of ["customers.db", "none/customers.db"]) expect(await look(path, join(quiet, path))).not.toHaveProperty("stillThere");
	await rm(join(quiet, "there.txt"));
	expect(await look("c2", join(quiet, "there.txt"))).toMatchObject({ stillThere: false });
	await rm(quiet, { recursive: true });
	expect(await look("c3", join(quiet, "there.txt"))).toMatchObject({ stillThere: false });
});

describe("what the file of a reported edit shows", () => {
	const setClock = (ms: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });

	it("is an edit, though the file system's clock is behind the bridge's", async () => {
		setClock(HOUR_MS);
		const edits = new EditsFound();
		await edits.begin(folder);
		const path = join(folder, "a.txt");
		await writeFile(path, "new");
		expect(await found(edits, path)).toMatchObject({ untouched: false });
		expect(await found(edits, process.execPath)).toMatchObject({ untouched: true });
	});

	it("is an edit, though the computer's clock was set back since the turn began", async () => {
		setClock(HOUR_MS);
		const edits = new EditsFound();
		vi.useRealTimers();
		const path = join(folder, "a.txt");
		await writeFile(path, "new");
		expect(await found(edits, path)).toMatchObject({ untouched: false });
	});

	it.each([
		["Latin-1", Buffer.from("na\u00efve text", "latin1")],
		["UTF-16", Buffer.from("na\u00efve text", "utf16le")],
	])("is not missed in a file in %s, which can't be compared with the report", async (_name, bytes) => {
		const edits = new EditsFound();
		const path = join(folder, "a.txt");
		await writeFile(path, bytes);
		const diff = [{ path, newText: "na\u00efve text", truncated: false }];
		expect(await found(edits, path, diff)).not.toHaveProperty("notHeld");
		await writeFile(path, "other text");
		expect(await found(edits, path, diff)).toMatchObject({ notHeld: true });
	});
});
