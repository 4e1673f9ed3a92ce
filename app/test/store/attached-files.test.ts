import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openArtifactContract } from "@xworkmate/contracts";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { SqliteThreadStore } from "../../src/store/sqlite-thread-store.ts";
import { DraftFileId, type Submission, type Thread } from "../../src/threads/index.ts";
import { AT, sha256 } from "../support/fake-run.ts";
import { temporaryHome } from "../support/temporary-home.ts";
import { ended, freshThread, handle, send, tell, threadId, turnIdOf } from "../support/thread-story.ts";

const note = { name: "a.txt", mediaType: "text/plain", sizeBytes: 1, sha256: sha256("a") };
const submission: Submission = { workspaceContext: "context", attachments: [{ ...note, bytes: Buffer.from("a") }] };
const key = { threadId, turnId: turnIdOf("t1") };

/** A store that closes with its test. */
function openStore(path: string): SqliteThreadStore & Disposable {
	const store = new SqliteThreadStore(path);
	return Object.assign(store, { [Symbol.dispose]: () => store.close() });
}

/** Writes a thread with its first turn. */
function begin(store: SqliteThreadStore): Thread {
	const request = { prompt: "x", routing: { executionTarget: "agent" }, contract: openArtifactContract, attachments: [note] } as const;
	const after = tell(freshThread(), send("t1"));
	store.commit({ before: undefined, after, created: { request, submission } });
	return after;
}

/** The bridge has the turn, and it succeeds. */
function succeed(store: SqliteThreadStore, before: Thread): void {
	const end = ended("t1", (run) => run.end("completed"));
	store.commit({ before, after: tell(before, handle("t1"), end), snapshot: end.snapshot });
}

it("keeps the bytes of attached files beside the database, until no turn has them any more", () => {
	using home = temporaryHome();
	const path = join(home.path, "app.sqlite");
	using store = openStore(path);
	const begun = begin(store);
	const db = new Database(path, { readonly: true });
	expect(db.prepare("SELECT base64 FROM attachments").pluck().all()).toEqual([null]);
	db.close();
	store.dropUnusedFiles();
	expect(readdirSync(join(home.path, "blobs"))).toEqual([sha256("a")]);
	succeed(store, begun);
	store.dropUnusedFiles();
	expect(readdirSync(join(home.path, "blobs"))).toEqual([]);
});

it("gives out no message without a file that belongs to it", () => {
	using home = temporaryHome();
	using store = openStore(join(home.path, "app.sqlite"));
	begin(store);
	rmSync(join(home.path, "blobs"), { recursive: true });
	expect(store.submission(key)).toBeUndefined();
	expect(store.keptAttachments(key)).toEqual([]);
});

it("of an earlier version keeps the files that are in the database", () => {
	using home = temporaryHome();
	const path = join(home.path, "app.sqlite");
	const first = openStore(path);
	const thread = begin(first);
	first.close();
	const old = new Database(path);
	old.exec(
		"UPDATE attachments SET base64 = 'YQ=='; DROP TABLE listed_turns; DROP TABLE packed_updates; DROP TRIGGER turn_not_searched; DROP TABLE search_index; DROP TABLE word_index; DROP TABLE search_words; DROP TABLE search_upkeep; DROP TABLE search_texts; DROP TABLE deleted_threads; DROP TABLE thread_marks; DROP TABLE ui_links; ALTER TABLE turns DROP COLUMN stopped_after_ms; ALTER TABLE turns DROP COLUMN synced_at; ALTER TABLE turns DROP COLUMN stopping_since",
	);
	old.exec(
		"DROP TABLE bridge_changes; INSERT INTO draft_files (file_id, note, base64) VALUES ('file-one', '" +
			JSON.stringify(note) +
			"', 'YQ==')",
	);
	old.pragma("user_version = 4");
	old.close();
	rmSync(join(home.path, "blobs"), { recursive: true });
	using store = openStore(path);
	store.dropUnusedFiles();
	expect(store.submission(key)).toEqual(submission);
	expect(store.surface.drafts.file(undefined, DraftFileId.parse("file-one"))).toEqual({ ...note, bytes: Buffer.from("a") });
	succeed(store, thread);
	expect(store.keptAttachments(key)).toEqual([]);
});

it("keeps the files of drafts and of queued messages beside the database as well, until they are removed", () => {
	using home = temporaryHome();
	const path = join(home.path, "app.sqlite");
	const files = ["draft", "queued"].map((name) => ({ ...note, name, sha256: sha256(name), bytes: Buffer.from(name) }));
	const [drafted, queued] = files;
	if (drafted === undefined || queued === undefined) throw new Error("there are two");
	const queuedId = turnIdOf("t2");
	const fileId = DraftFileId.parse("file-one");
	const first = openStore(path);
	begin(first);
	first.surface.drafts.addFile(threadId, fileId, drafted, AT);
	first.surface.addQueued(threadId, queuedId, { prompt: "y", routing: { executionTarget: "agent" }, createdAt: AT }, [queued], undefined);
	first.close();
	using store = openStore(path);
	store.dropUnusedFiles();
	expect(readdirSync(join(home.path, "blobs")).sort()).toEqual([sha256("a"), drafted.sha256, queued.sha256].sort());
	expect(store.surface.drafts.file(threadId, fileId)).toEqual(drafted);
	expect(store.surface.queuedAttachments(queuedId)).toEqual([queued]);
	const db = new Database(path, { readonly: true });
	expect(db.prepare("SELECT base64 FROM draft_files").pluck().all()).toEqual([null]);
	expect(db.prepare("SELECT attachments FROM queued_messages").pluck().get()).not.toContain("base64");
	db.close();
	rmSync(join(home.path, "blobs", queued.sha256));
	expect(() => store.surface.queuedAttachments(queuedId)).toThrow(expect.objectContaining({ code: "ATTACHMENT_GONE" }));
	store.surface.dropQueued(queuedId);
	store.surface.drafts.dropFile(threadId, fileId);
	store.dropUnusedFiles();
	expect(readdirSync(join(home.path, "blobs"))).toEqual([sha256("a")]);
});
