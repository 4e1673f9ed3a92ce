import { ThreadId } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AppChange, AppState, ThreadSummary } from "../../src/api/ui-api.ts";
import { ChangeFeed, type ChangeSource } from "../../src/changes/change-feed.ts";
import { AppEvents } from "../../src/threads/app-events.ts";
import { applyChange } from "../support/ui-scene.ts";

const AT = "2026-01-01T00:00:00.000Z";

/** A state that a test changes by hand. */
class Story implements ChangeSource {
	readonly threads = new Map<ThreadId, ThreadSummary>();
	readonly events = new AppEvents();
	readonly feed = new ChangeFeed(this.events);
	readonly gatewayQueue = { limits: { maxActive: 1, maxQueued: 20 }, active: [], waiting: [] };
	bridge: AppState["bridge"] = { state: "starting", since: AT, own: true, clockAheadMs: 0 };
	#count = 0;

	state(): AppState {
		const { gatewayQueue, bridge } = this;
		return { serverTime: AT, threads: this.listed(), approvals: [], gatewayQueue, bridge };
	}

	thread(threadId: ThreadId): ThreadSummary | undefined {
		return this.threads.get(threadId);
	}

	watch(): AsyncIterableIterator<AppChange> {
		return this.feed.watch(this);
	}

	listed(): readonly ThreadSummary[] {
		return [...this.threads.values()].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
	}

	write(name: string): void {
		this.#count += 1;
		const threadId = ThreadId.parse(name);
		const updatedAt = new Date(Date.parse(AT) + this.#count).toISOString();
		const counts = { turnCount: this.#count, fileCount: 0, artifactCount: 0, collectedCount: 0, queuedCount: 0 };
		const words = { title: `title ${this.#count}`, preview: "", hasDraft: false };
		this.threads.set(threadId, { threadId, lifecycleStatus: "ready", createdAt: AT, updatedAt, ...counts, ...words });
		this.events.emit("summaryChanged", threadId);
	}

	delete(name: string): void {
		this.threads.delete(ThreadId.parse(name));
		this.events.emit("summaryChanged", ThreadId.parse(name));
	}

	connect(state: AppState["bridge"]["state"]): void {
		this.bridge = { ...this.bridge, state };
		this.events.emit("bridgeChanged", this.bridge);
	}
}

async function next(changes: AsyncIterator<AppChange>): Promise<AppChange> {
	const { value, done } = await changes.next();
	if (done === true) throw new Error("the watch ended");
	return value;
}

const step = fc.oneof(
	fc.record({ act: fc.constant("write" as const), name: fc.constantFrom("a", "b", "c") }),
	fc.record({ act: fc.constant("delete" as const), name: fc.constantFrom("a", "b", "c") }),
	fc.record({ act: fc.constant("connect" as const), name: fc.constantFrom("connected" as const, "unreachable" as const) }),
	fc.record({ act: fc.constant("read" as const), name: fc.constant("") }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe("the changes that a window follows", () => {
	it("lead to the state as it is, however slowly they are read", async () => {
		const follows = async (steps: readonly Step[]) => {
			const story = new Story();
			const changes = story.watch();
			const first = await next(changes);
			if (first.type !== "state") throw new Error("the state comes first");
			let { state } = first;
			for (const { act, name } of steps) {
				if (act === "write") story.write(name);
				if (act === "delete") story.delete(name);
				if (act === "connect") story.connect(name);
				if (act !== "read") continue;
				// Something to read is always there.
				story.connect(story.bridge.state);
				state = applyChange(state, await next(changes));
			}
			story.connect("refused");
			while (state.bridge.state !== "refused") state = applyChange(state, await next(changes));
			expect(state.threads).toEqual(story.listed());
			await changes.return?.();
			expect(story.feed.isWatched).toBe(false);
		};
		await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 30 }), follows), { numRuns: 60 });
	});

	it("cost a reader who sleeps the newest of each, and the whole state when that is shorter", async () => {
		const story = new Story();
		const changes = story.watch();
		await next(changes);
		for (let count = 0; count < 500; count++) story.write("a");
		expect(await next(changes)).toMatchObject({ type: "thread", thread: { turnCount: 500 } });
		for (let count = 0; count < 2_001; count++) story.write(`t${count}`);
		expect(await next(changes)).toMatchObject({ type: "state" });
		story.write("last");
		expect(await next(changes)).toMatchObject({ type: "thread", thread: { threadId: "last" } });
	});

	it("end at once for who leaves while nothing happens, and for all when the app closes", async () => {
		const story = new Story();
		const leaving = story.watch();
		const staying = story.watch();
		await Promise.all([next(leaving), next(staying)]);
		const waiting = leaving.next();
		const also = staying.next();
		await leaving.return?.();
		expect(await waiting).toMatchObject({ done: true });
		story.feed.close();
		expect(await also).toMatchObject({ done: true });
		expect(story.feed.isWatched).toBe(false);
	});
});
