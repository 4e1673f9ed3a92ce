import type { SessionUpdate } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { BridgeView, GatewayQueuePosition } from "../../src/api/ui-api.ts";
import { Drafts } from "../../src/composer/drafts.ts";
import { CurrentSteps } from "../../src/threads/current-steps.ts";
import { ThreadList } from "../../src/threads/thread-list.ts";
import { ThreadSummaries } from "../../src/threads/thread-summaries.ts";
import { AT, FakeRun } from "../support/fake-run.ts";
import { StoredThreads } from "../support/stored-threads.ts";
import { create, handle, threadId, turnIdOf } from "../support/thread-story.ts";

const bridge: BridgeView = { state: "connected", since: AT, own: true, clockAheadMs: 0 };

function open() {
	const threads = new StoredThreads();
	const { store, repository, events } = threads;
	const now = {
		isInTouch: true,
		isStuck: false,
		changes: undefined as number | undefined,
		places: new Map<typeof threadId, GatewayQueuePosition>(),
	};
	const steps = new CurrentSteps(events);
	const summaries = new ThreadSummaries({
		...{ store, repository, events, steps, list: new ThreadList(store.surface, events) },
		gatewayQueue: now,
		feed: { isInTouch: () => now.isInTouch },
		threadQueue: { changesOf: () => now.changes, isStuck: () => now.isStuck },
	});
	const close = () => {
		steps.close();
		threads[Symbol.dispose]();
	};
	return { threads, now, summaries, [Symbol.dispose]: close };
}

function updatesOf(turn: string, tell: (run: FakeRun) => void): readonly SessionUpdate[] {
	const run = new FakeRun(threadId, turnIdOf(turn), `run-${turn}`);
	tell(run);
	return run.log;
}

it("tells of what a list shows, and of a run's updates nothing", () => {
	using scene = open();
	const { threads } = scene;
	threads.begin("one");
	expect(threads.told()).toBe(1);
	threads.tell([handle("one")]);
	expect(threads.told()).toBe(1);
	const items = updatesOf("one", (run) => run.text("hello"));
	threads.tell([handle("one", undefined, 2)], { updates: { turnId: turnIdOf("one"), after: 0, items } });
	expect(threads.told()).toBe(0);
	threads.end("one");
	expect(threads.told()).toBeGreaterThan(0);
});

it("gives each thread as it is on the disk now, however the list was read before", () => {
	using scene = open();
	const { threads, summaries } = scene;
	threads.tell([create]);
	expect(summaries.all()).toMatchObject([{ threadId, title: "a story", turnCount: 0 }]);
	threads.begin("one");
	expect(summaries.get(threadId)).toMatchObject({ turnCount: 1, pendingTurnId: "one" });
	threads.tell([{ type: "rename", title: "another", at: AT }]);
	expect(summaries.all()).toMatchObject([{ title: "another" }]);
	threads.end("one");
	threads.repository.delete(threadId);
	expect([summaries.all(), summaries.get(threadId)]).toEqual([[], undefined]);
});

it("shows what is kept beside the thread as well: a draft is written by no command of it", () => {
	using scene = open();
	const { threads, summaries } = scene;
	threads.tell([create]);
	expect(summaries.all()).toMatchObject([{ hasDraft: false }]);
	new Drafts(threads).save({ threadId, draft: { prompt: "words" } });
	expect(summaries.all()).toMatchObject([{ hasDraft: true }]);
});

it("says of an active run that contact was lost with as of when it is known, and tells of it with the bridge's state", () => {
	using scene = open();
	const { threads, now, summaries } = scene;
	threads.begin("one");
	const { updatedAt } = threads.tell([handle("one")]);
	expect(summaries.get(threadId)).not.toHaveProperty("asOf");
	threads.told();
	now.isInTouch = false;
	threads.events.emit("bridgeChanged", { ...bridge, state: "unreachable" });
	expect([threads.told(), summaries.get(threadId)]).toMatchObject([1, { asOf: updatedAt }]);
	threads.end("one");
	expect(summaries.get(threadId)).not.toHaveProperty("asOf");
	threads.told();
	threads.events.emit("bridgeChanged", bridge);
	expect(threads.told()).toBe(0);
});

it("adds what is not written down: how often its queue changed, and whether its next message could not be sent", () => {
	using scene = open();
	scene.threads.tell([create]);
	expect(scene.summaries.get(threadId)).not.toHaveProperty("queueChanges");
	scene.now.changes = 3;
	expect(scene.summaries.all()).toMatchObject([{ queueChanges: 3 }]);
	expect(scene.summaries.get(threadId)).not.toHaveProperty("isQueueStuck");
	scene.now.isStuck = true;
	expect(scene.summaries.get(threadId)).not.toHaveProperty("isQueueStuck");
	scene.threads.store.surface.addQueued(
		threadId,
		turnIdOf("queued"),
		{ prompt: "x", routing: { executionTarget: "agent" }, createdAt: AT },
		[],
		undefined,
	);
	scene.threads.events.emit("summaryChanged", threadId);
	// Also right after a start, before its queue has changed.
	scene.now.changes = undefined;
	expect(scene.summaries.get(threadId)).toMatchObject({ isQueueStuck: true });
});
