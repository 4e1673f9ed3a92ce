import { join } from "node:path";
import { expect, it } from "vitest";
import { SqliteThreadStore } from "../../src/threads/index.ts";
import { ThreadRepository } from "../../src/threads/thread-repository.ts";
import { TurnFeed } from "../../src/turns/turn-feed.ts";
import { temporaryHome } from "../support/temporary-home.ts";
import { freshThread, threadId, turnIdOf } from "../support/thread-story.ts";

it("a change while a watcher takes the last one, after the state was read, is not missed", async () => {
	using home = temporaryHome();
	const store = new SqliteThreadStore(join(home.path, "app.sqlite"));
	try {
		const thread = freshThread();
		store.commit({ before: undefined, after: thread });
		const repository = new ThreadRepository(store, () => {});
		const key = { threadId, turnId: turnIdOf("t1") };
		const feed = new TurnFeed(store, repository, { contactChanged: () => {}, replaced: async () => ({}) });
		const watch = feed.watch(key, 0);
		feed.show(key, { syncing: { files: 1, totalBytes: 1 } });
		expect(await watch.next()).toMatchObject({ value: { type: "syncing", files: 1 } });
		feed.show(key, { syncing: { files: 2, totalBytes: 2 } });
		expect(await watch.next()).toMatchObject({ value: { type: "syncing", files: 2 } });
		const waiting = watch.next();
		await watch.return?.();
		expect(await waiting).toMatchObject({ done: true });
	} finally {
		store.close();
	}
});
