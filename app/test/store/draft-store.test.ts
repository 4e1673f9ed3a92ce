import { join } from "node:path";
import type { ThreadId } from "@xworkmate/contracts";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { diskRefusal } from "../../src/store/draft-store.ts";
import { SqliteThreadStore } from "../../src/store/sqlite-thread-store.ts";
import { type AttachedFile, DraftFileId } from "../../src/threads/index.ts";
import { AT, sha256 } from "../support/fake-run.ts";
import { temporaryHome } from "../support/temporary-home.ts";
import { freshThread, send, tell, threadId } from "../support/thread-story.ts";

const fileOf = (text: string): AttachedFile => ({
	...{ name: `${text}.txt`, mediaType: "text/plain", sizeBytes: text.length, sha256: sha256(text) },
	bytes: Buffer.from(text),
});
const first = DraftFileId.parse("first-file");
const second = DraftFileId.parse("second-file");

function open(path: string) {
	const store = new SqliteThreadStore(path);
	const { drafts } = store.surface;
	const names = (place?: ThreadId) => drafts.get(place)?.files?.map(({ name }) => name) ?? [];
	return { store, drafts, names, [Symbol.dispose]: () => store.close() };
}

function withThread(home: ReturnType<typeof temporaryHome>) {
	const opened = open(join(home.path, "app.sqlite"));
	opened.store.commit({ before: undefined, after: freshThread() });
	return opened;
}

describe("a draft's files", () => {
	it("are there after a restart, each once, each in the draft that it was attached to", () => {
		using home = temporaryHome();
		const before = withThread(home);
		before.drafts.addFile(threadId, first, fileOf("a"), AT);
		before.drafts.addFile(threadId, first, fileOf("a"), AT);
		before.drafts.addFile(undefined, second, fileOf("b"), AT);
		before.store.close();
		using after = open(join(home.path, "app.sqlite"));
		expect([after.names(threadId), after.names()]).toEqual([["a.txt"], ["b.txt"]]);
		expect(after.drafts.get(threadId)).toMatchObject({ prompt: "", files: [{ fileId: first, sizeBytes: 1, sha256: sha256("a") }] });
		expect(after.drafts.file(undefined, second)).toEqual(fileOf("b"));
		expect(after.drafts.file(threadId, second)).toBeUndefined();
	});

	it("stay when words come and go, and the draft goes with the last of both", () => {
		using home = temporaryHome();
		using opened = withThread(home);
		const { drafts, names } = opened;
		drafts.addFile(threadId, first, fileOf("a"), AT);
		drafts.put(threadId, { prompt: "words", updatedAt: AT });
		drafts.put(threadId, { prompt: "", updatedAt: AT });
		expect(names(threadId)).toEqual(["a.txt"]);
		expect(opened.store.surface.listed(threadId)).toMatchObject({ hasDraft: true });
		drafts.dropFile(threadId, first);
		expect(drafts.get(threadId)).toBeUndefined();
		expect(opened.store.surface.listed(threadId)).toMatchObject({ hasDraft: false });
	});

	it("go with their thread", () => {
		using home = temporaryHome();
		using opened = withThread(home);
		opened.drafts.addFile(threadId, first, fileOf("a"), AT);
		opened.drafts.addFile(undefined, second, fileOf("b"), AT);
		opened.store.deleteThread(threadId);
		expect([opened.names(threadId), opened.names()]).toEqual([[], ["b.txt"]]);
	});

	it("and its words leave with the change that writes the message, or not at all; what did not go along stays", () => {
		using home = temporaryHome();
		using opened = withThread(home);
		const { drafts, names, store } = opened;
		drafts.put(threadId, { prompt: "words", updatedAt: AT });
		drafts.addFile(threadId, first, fileOf("a"), AT);
		drafts.addFile(threadId, second, fileOf("b"), AT);
		const before = store.findThread(threadId);
		if (before === undefined) throw new Error("there is no thread");
		const sentDraft = { threadId, files: [first] };
		// A turn without its request cannot be written.
		expect(() => store.commit({ before, after: tell(before, send("t1")), sentDraft })).toThrow(RangeError);
		expect([drafts.get(threadId)?.prompt, names(threadId)]).toEqual(["words", ["a.txt", "b.txt"]]);
		store.commit({ before, after: { ...before, title: "another" }, sentDraft });
		expect([drafts.get(threadId)?.prompt, names(threadId)]).toEqual(["", ["b.txt"]]);
	});

	it("that the disk does not take are refused in words for a person", () => {
		using db = Object.assign(new Database(":memory:"), {
			[Symbol.dispose](this: Database.Database) {
				this.close();
			},
		});
		db.exec("CREATE TABLE full (bytes BLOB)");
		db.pragma("max_page_count = 2");
		const fill = () => db.prepare("INSERT INTO full VALUES (zeroblob(1000000))").run();
		try {
			fill();
			expect.unreachable("the database took it");
		} catch (error) {
			expect(diskRefusal(error, "a.txt")).toMatchObject({
				code: "DISK_FULL",
				message: "a.txt was not saved because the disk is full.",
			});
		}
		expect(diskRefusal(new Error("another"), "a.txt")).toBeUndefined();
	});
});
