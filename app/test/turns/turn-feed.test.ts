import { join } from "node:path";
import { setImmediate as tick } from "node:timers/promises";
import { openArtifactContract, SessionId, type SessionUpdate } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TurnEvent } from "../../src/api/app-api.ts";
import { ArtifactDownload, BridgeClient, type UpdateItem } from "../../src/bridge-client/index.ts";
import { SqliteThreadStore } from "../../src/store/sqlite-thread-store.ts";
import { syncBounds } from "../../src/sync/index.ts";
import { AppEvents } from "../../src/threads/app-events.ts";
import type { TranscriptPage } from "../../src/threads/domain/turn-record.ts";
import type { TurnKey } from "../../src/threads/index.ts";
import { ThreadRepository } from "../../src/threads/thread-repository.ts";
import { TurnDriver } from "../../src/turns/turn-driver.ts";
import { TurnFeed } from "../../src/turns/turn-feed.ts";
import { AT, FakeRun } from "../support/fake-run.ts";
import { fastClient } from "../support/fast-bounds.ts";
import { temporaryHome } from "../support/temporary-home.ts";
import { ended, send, threadId, turnIdOf } from "../support/thread-story.ts";

const key = { threadId, turnId: turnIdOf("t1") };

/** A store that notes how many updates each page it is asked for has. */
class NotingStore extends SqliteThreadStore {
	readonly pages: number[] = [];

	override readUpdates(of: TurnKey, afterSeq: number, limit: number): TranscriptPage {
		const page = super.readUpdates(of, afterSeq, limit);
		this.pages.push(page.length);
		return page;
	}
}

/** A turn at work, driven by what the test says arrives, and its feed. */
class FeedScene implements Disposable {
	readonly #home = temporaryHome();
	readonly store = new NotingStore(join(this.#home.path, "app.sqlite"));
	readonly #events = this.#faultyEvents();
	readonly #repository = new ThreadRepository(this.store, this.#events);
	readonly feed = new TurnFeed({
		...{ store: this.store, repository: this.#repository, events: this.#events },
		files: { replaced: async () => ({}) },
	});
	readonly #run = new FakeRun(threadId, key.turnId, "run-t1");
	/** What is to be shown, as it arrived. */
	readonly said: SessionUpdate[] = [];
	/** How much of it is on the disk. */
	stored = 0;
	#seq = 0;
	#isFaulty = false;
	#driver: TurnDriver;

	constructor() {
		const request = { prompt: "do it", routing: { executionTarget: "agent" }, contract: openArtifactContract, attachments: [] } as const;
		const created = { request, submission: { workspaceContext: "", attachments: [] } };
		const create = { type: "create", threadId, sessionId: SessionId.parse(threadId), title: "", at: AT } as const;
		this.#repository.execute(threadId, [create, send("t1")], { created });
		this.#driver = this.#drive(false);
	}

	/** Updates arrive; those of a kind that this client does not know are not shown. */
	say(...kinds: readonly ("known" | "unknown")[]): void {
		const items = kinds.map((kind): UpdateItem => {
			this.#seq += 1;
			while (this.#run.log.length < this.#seq) this.#run.text(`piece ${this.#seq}`);
			const update = this.#run.log[this.#seq - 1];
			if (update === undefined) throw new RangeError(`no update ${this.#seq}`);
			if (kind === "known") this.said.push(update);
			return { type: "update", place: update, ...(kind === "known" && { update }) };
		});
		try {
			this.#driver.updates(items);
		} catch {
			// The fault of `fail`; the first updates are written at once.
		}
	}

	/** What arrived is written. */
	async written(): Promise<void> {
		await tick();
		this.stored = this.said.length;
	}

	/** A fault of this machine, right after these were written, ends the turn's driver; the next one goes on from what is stored. */
	async fail(...kinds: readonly ("known" | "unknown")[]): Promise<void> {
		await this.written();
		this.#isFaulty = true;
		this.say(...kinds);
		await this.written();
		this.feed.forget(key);
		this.#driver = this.#drive(true);
	}

	end(): void {
		this.#repository.execute(threadId, [ended("t1", () => this.#run.end("completed"))]);
	}

	watch(afterSeq = 0): Watcher {
		return new Watcher(this, afterSeq);
	}

	[Symbol.dispose](): void {
		this.feed.close();
		this.store.close();
		this.#home[Symbol.dispose]();
	}

	/** Their first listener fails when the scene says so: then the feed is not told of what was written. */
	#faultyEvents(): AppEvents {
		const events = new AppEvents();
		events.on("threadWritten", () => {
			if (!this.#isFaulty) return;
			this.#isFaulty = false;
			throw new Error("a fault after the write");
		});
		return events;
	}

	#drive(resumed: boolean): TurnDriver {
		const nowhere = () => Promise.reject(new Error("no bridge is called"));
		const { store, feed } = this;
		return new TurnDriver(
			{
				...{ home: this.#home.path, repository: this.#repository, store, feed },
				client: new BridgeClient(nowhere),
				bridgeUrl: undefined,
				source: new ArtifactDownload(nowhere, 1_000),
				bounds: { client: fastClient, sync: syncBounds },
				mayWait: async () => false,
				origin: () => undefined,
				fetchFailed: () => undefined,
			},
			key,
			{ resumed, found: false },
		);
	}
}

/** One who watches the turn, at a pace of its own. */
class Watcher {
	readonly afterSeq: number;
	readonly seen: SessionUpdate[] = [];
	readonly #scene: FeedScene;
	readonly #events: AsyncIterator<TurnEvent>;

	constructor(scene: FeedScene, afterSeq: number) {
		this.#scene = scene;
		this.afterSeq = afterSeq;
		this.#events = scene.feed.watch(key, afterSeq);
	}

	get due(): readonly SessionUpdate[] {
		return this.#scene.said.filter(({ seq }) => seq > this.afterSeq);
	}

	/** Takes as many as are there, up to a number. */
	async take(count: number): Promise<void> {
		const stored = this.#scene.said.slice(0, this.#scene.stored);
		const there = stored.filter(({ seq }) => seq > this.afterSeq).length - this.seen.length;
		for (let left = Math.min(count, there); left > 0; left--) await this.#take();
	}

	/** Takes the rest, to the turn's end. */
	async finish(): Promise<void> {
		while (await this.#take());
	}

	async #take(): Promise<boolean> {
		const { value, done } = await this.#events.next();
		if (done === true || value.type === "ended") return false;
		if (value.type === "update") this.seen.push(value.update);
		return true;
	}
}

describe("those who watch a turn", () => {
	it("are handed what has just arrived, and nothing of it is read back from the disk", async () => {
		using scene = new FeedScene();
		const [one, two] = [scene.watch(), scene.watch()];
		scene.say("known");
		await scene.written();
		await Promise.all([one.take(1), two.take(1)]);
		scene.store.pages.length = 0;
		for (let batch = 0; batch < 20; batch++) {
			scene.say("known", "known", "known");
			await scene.written();
			await Promise.all([one.take(3), two.take(3)]);
		}
		expect(one.seen).toEqual(scene.said);
		expect(two.seen).toEqual(scene.said);
		expect(scene.store.pages).toEqual([]);
	});

	it("read from the disk, page by page, what they were too slow for or came too late for", async () => {
		using scene = new FeedScene();
		const slow = scene.watch();
		for (let batch = 0; batch < 50; batch++) {
			scene.say(...Array.from({ length: 10 }, () => "known" as const));
			await scene.written();
			await slow.take(1);
		}
		const late = scene.watch(7);
		scene.end();
		await Promise.all([slow.finish(), late.finish()]);
		expect(slow.seen).toEqual(scene.said);
		expect(late.seen).toEqual(late.due);
		expect(Math.max(...scene.store.pages)).toBe(200);
	});

	it("are shown what was written when a fault struck, though nothing follows it", async () => {
		using scene = new FeedScene();
		const watcher = scene.watch();
		scene.say("known", "known");
		await scene.written();
		await watcher.take(2);
		await scene.fail("known");
		scene.end();
		await watcher.finish();
		expect(watcher.seen).toEqual(scene.said);
	});

	it("see every update once and in order, whatever their pace, and after faults", async () => {
		const kinds = fc.array(fc.constantFrom("known", "known", "known", "unknown"), { minLength: 1, maxLength: 6 });
		const step = fc.oneof(
			{ weight: 4, arbitrary: fc.record({ say: kinds }) },
			{ weight: 3, arbitrary: fc.record({ take: fc.nat(3), count: fc.integer({ min: 1, max: 8 }) }) },
			{ weight: 2, arbitrary: fc.constant("written" as const) },
			{ weight: 1, arbitrary: fc.record({ join: fc.nat(12) }) },
			{ weight: 1, arbitrary: fc.record({ fail: kinds }) },
		);
		const story = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
			using scene = new FeedScene();
			const watchers = [scene.watch(), scene.watch(3)];
			for (const each of steps) {
				if (each === "written") await scene.written();
				else if ("fail" in each) await scene.fail(...each.fail);
				else if ("say" in each) scene.say(...each.say);
				else if ("join" in each) watchers.push(scene.watch(each.join));
				else await watchers[each.take]?.take(each.count);
			}
			await scene.written();
			scene.end();
			for (const watcher of watchers) {
				await watcher.finish();
				expect(watcher.seen).toEqual(watcher.due);
			}
		});
		await fc.assert(story, { numRuns: 40 });
	});

	it("hear that contact is restored before what arrives then, and that it is lost after what arrived before", async () => {
		using scene = new FeedScene();
		const watch = scene.feed.watch(key, 0);
		const next = async () => {
			const { value } = await watch.next();
			return value?.type === "update" ? value.update.seq : value?.type;
		};
		scene.say("known");
		await scene.written();
		scene.feed.show(key, { connection: { state: "lost", code: "X", message: "It is gone." } });
		expect([await next(), await next()]).toEqual([1, "connection_lost"]);
		scene.say("known");
		await scene.written();
		scene.feed.show(key, { connection: { state: "restored" } });
		expect([await next(), await next()]).toEqual(["connection_restored", 2]);
		await watch.return?.();
	});

	it("miss no change that comes while they take the last one, after the state was read", async () => {
		using scene = new FeedScene();
		const watch = scene.feed.watch(key, 0);
		scene.feed.show(key, { syncing: { files: 1, totalBytes: 1 } });
		expect(await watch.next()).toMatchObject({ value: { type: "syncing", files: 1 } });
		scene.feed.show(key, { syncing: { files: 2, totalBytes: 2 } });
		expect(await watch.next()).toMatchObject({ value: { type: "syncing", files: 2 } });
		const waiting = watch.next();
		await watch.return?.();
		expect(await waiting).toMatchObject({ done: true });
	});
});
