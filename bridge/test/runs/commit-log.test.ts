import type { RunId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { systemClock } from "../../src/runs/clock.ts";
import { CommitLog } from "../../src/runs/commit-log.ts";
import { LiveRun } from "../../src/runs/live-run.ts";
import type { LoggedEvent } from "../../src/runs/run-event.ts";
import { fold, initialState } from "../../src/runs/run-state.ts";
import type { RunAppend } from "../../src/runs/run-store.ts";
import { record } from "./arbitrary.ts";

/** A store whose commits the test lets through one by one. */
class GatedStore {
	readonly written: RunAppend[] = [];
	#waiting: { resolve: () => void; reject: (error: Error) => void; batch: readonly RunAppend[] }[] = [];
	#called = Promise.withResolvers<void>();

	async readEvents(): Promise<readonly LoggedEvent[]> {
		return [];
	}

	async append(batch: readonly RunAppend[]): Promise<void> {
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		this.#waiting.push({ resolve, reject, batch });
		this.#called.resolve();
		await promise;
	}

	/** Settles when the log has asked for a commit; gives the way to let it through, or not. */
	async next(): Promise<{ pass: () => void; fail: () => void }> {
		await this.#called.promise;
		const [first] = this.#waiting.splice(0, 1);
		if (this.#waiting.length === 0) this.#called = Promise.withResolvers();
		if (first === undefined) throw new Error("no commit was asked for");
		const pass = () => {
			this.written.push(...first.batch);
			first.resolve();
		};
		return { pass, fail: () => first.reject(new Error("the disk is full")) };
	}
}

function open(retryForMs = 1_000) {
	const store = new GatedStore();
	const shown: LoggedEvent[] = [];
	const faults: string[] = [];
	const log = new CommitLog(store, {
		retryForMs,
		onFatal: () => faults.push("fatal"),
		onRetry: () => faults.push("retry"),
	});
	log.onCommitted(record.runId as RunId, (events) => shown.push(...events));
	return { store, shown, faults, log, run: new LiveRun(record, initialState, log, systemClock) };
}

it("shows nothing before it is durable", async () => {
	const { store, shown, run } = open();
	run.dispatch({ type: "accept" });
	run.dispatch({ type: "start", budgetMs: 1_000 });
	const commit = await store.next();
	expect(shown).toEqual([]);
	expect(run.snapshot()).toMatchObject({ status: "queued", lastSeq: 0 });
	commit.pass();
	await run.durable();
	expect(shown.map((event) => event.seq)).toEqual([1, 2]);
	expect(run.snapshot()).toMatchObject({ status: "running", lastSeq: 2 });
});

it("writes what was said during a commit in the next one, in order", async () => {
	const { store, shown, run, log } = open();
	run.dispatch({ type: "accept" });
	run.dispatch({ type: "start", budgetMs: 1_000 });
	const first = await store.next();
	for (const text of ["a", "b", "c"]) run.dispatch({ type: "say", update: { kind: "message_delta", messageId: "m", text } });
	first.pass();
	(await store.next()).pass();
	await log.flushed();
	expect(shown.map((event) => event.seq)).toEqual([1, 2, 3]);
	expect(shown.at(-1)?.event).toEqual({ type: "said", update: { kind: "message_delta", messageId: "m", text: "abc" } });
	expect(fold(shown)).toEqual(run.state);
});

it("tries a store that refuses a write again, with the same events", async () => {
	const { store, faults, run, log } = open();
	run.dispatch({ type: "accept" });
	(await store.next()).fail();
	(await store.next()).pass();
	await log.flushed();
	expect(faults).toEqual(["retry"]);
	expect(store.written.flatMap((append) => append.events.map((event) => event.seq))).toEqual([1]);
});

it("ends the process when the log stays unwritable", async () => {
	const { store, faults, run, log } = open(0);
	run.dispatch({ type: "accept" });
	(await store.next()).fail();
	await log.flushed().catch(() => undefined);
	expect(faults).toEqual(["fatal"]);
	expect(run.snapshot().lastSeq).toBe(0);
});
