import { limits } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { Drafts } from "../../src/composer/drafts.ts";
import { DraftFileId } from "../../src/threads/index.ts";
import { StoredThreads } from "../support/stored-threads.ts";
import { create, threadId, turnIdOf } from "../support/thread-story.ts";

const fileId = DraftFileId.parse("first-file");
const file = { name: "a.txt", mediaType: "text/plain", bytes: Buffer.from("a") };

function open() {
	const threads = new StoredThreads();
	threads.tell([create]);
	const drafts = new Drafts(threads);
	const words = () => threads.store.surface.drafts.get(threadId)?.prompt;
	return { threads, drafts, words, [Symbol.dispose]: () => threads[Symbol.dispose]() };
}

it("tells other pages that there is a draft, and not what is typed", () => {
	using scene = open();
	const { drafts, threads } = scene;
	drafts.save({ threadId, draft: { prompt: "w" } });
	expect(threads.told()).toBe(1);
	drafts.save({ threadId, draft: { prompt: "words" } });
	expect(threads.told()).toBe(0);
	drafts.save({ threadId, draft: { prompt: "" } });
	expect(threads.told()).toBe(1);
});

it("tells of a draft that is a file alone, and of its end", () => {
	using scene = open();
	const { drafts, threads } = scene;
	drafts.keepFile({ threadId, fileId, ...file });
	expect(threads.told()).toBe(1);
	drafts.dropFile({ threadId, fileId });
	expect(threads.told()).toBe(1);
});

it("replaces only the words that a page says it replaces", () => {
	using scene = open();
	const { drafts, words } = scene;
	drafts.save({ threadId, draft: { prompt: "of another page" } });
	drafts.save({ threadId, draft: { prompt: "" }, over: "of this page" });
	expect(words()).toBe("of another page");
	drafts.save({ threadId, draft: { prompt: "" }, over: "of another page" });
	expect(words()).toBeUndefined();
});

it("keeps a file once, however often it is given under one id", () => {
	using scene = open();
	const kept = [0, 1].map(() => scene.drafts.keepFile({ threadId, fileId, ...file }));
	expect(kept[1]).toEqual(kept[0]);
	expect(scene.threads.store.surface.drafts.files(threadId)).toHaveLength(1);
});

it.each([
	["that is too large", { ...file, bytes: Buffer.alloc(limits.attachmentBytes + 1) }],
	["with a name that no file may have", { ...file, name: "../a.txt" }],
	["with the name of another one, in whatever case", { ...file, name: "A.TXT" }],
])("refuses a file %s, and keeps what is there", (_, given) => {
	using scene = open();
	const { drafts, threads } = scene;
	drafts.keepFile({ threadId, fileId, ...file });
	expect(() => drafts.keepFile({ threadId, fileId: DraftFileId.parse("second-file"), ...given })).toThrow(
		expect.objectContaining({ code: "ATTACHMENT_REFUSED" }),
	);
	expect(threads.store.surface.drafts.files(threadId)).toMatchObject([{ fileId, name: "a.txt" }]);
});

it("takes a file of an earlier message, and says when it is not kept any more", () => {
	using scene = open();
	const { drafts, threads } = scene;
	threads.begin("one", "read this", [file]);
	const again = { threadId, name: "a.txt", again: turnIdOf("one") };
	expect(drafts.keepFile({ ...again, fileId })).toMatchObject({ fileId, sizeBytes: 1 });
	expect(() => drafts.keepFile({ ...again, fileId: DraftFileId.parse("second-file"), name: "b.txt" })).toThrow(
		expect.objectContaining({ code: "ATTACHMENT_GONE" }),
	);
});

it("keeps nothing for a thread that is not there", () => {
	using scene = open();
	scene.threads.repository.delete(threadId);
	expect(() => scene.drafts.save({ threadId, draft: { prompt: "words" } })).toThrow(expect.objectContaining({ code: "THREAD_NOT_FOUND" }));
	expect(scene.words()).toBeUndefined();
});
