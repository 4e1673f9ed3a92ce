import type { RunId } from "@xworkmate/contracts";
import fc from "fast-check";
import { expect, it } from "vitest";
import { CommitLog } from "../../src/log/commit-log.ts";
import { systemClock } from "../../src/ports/clock.ts";
import type { LoggedEvent } from "../../src/ports/runs/run-event.ts";
import type { RunAppend } from "../../src/ports/runs/run-store.ts";
import { initialState } from "../../src/runs/domain/run-state.ts";
import { LiveRun } from "../../src/runs/engine/live-run.ts";
import { record } from "../runs/domain/arbitrary.ts";
import { fold } from "../runs/domain/fold.ts";

/** A store whose commits the test lets through one by one. */
class GatedStore {
	readonly written: RunAppend[] = [];
	/** True = commits pass on their own from now on. */
	passing = false;
	#waiting: { resolve: () => void; reject: (error: Error) => void; batch: readonly RunAppend[] }[] = [];
	#called = Promise.withResolvers<void>();

	async readEvents(_runId: RunId): Promise<readonly LoggedEvent[]> {
		return [];
	}

	async readTexts(): Promise<readonly never[]> {
		return [];
	}

	async append(batch: readonly RunAppend[]): Promise<void> {
		if (this.passing) return void this.written.push(...batch);
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		this.#waiting.push({ resolve, reject, batch });
		this.#called.resolve();
		await promise;
	}

	/** Settles when the log has asked for a commit; gives the way to let it through, or not. */
	async next(): Promise<{ pass: () => void; fail: () => void; full: () => void }> {
		await this.#called.promise;
		const [first] = this.#waiting.splice(0, 1);
		if (this.#waiting.length === 0) this.#called = Promise.withResolvers();
		if (first === undefined) throw new Error("no commit was asked for");
		const pass = () => {
			this.written.push(...first.batch);
			first.resolve();
		};
		const full = () => first.reject(Object.assign(new Error("the disk is full"), { code: "STORE_FULL" }));
		return { pass, full, fail: () => first.reject(new Error("the disk failed")) };
	}
}

function open(retryForMs = 1_000, onRetry = () => {}) {
	const store = new GatedStore();
	const shown: LoggedEvent[] = [];
	const faults: string[] = [];
	const log = new CommitLog(store, {
		retryForMs,
		answerMs: 10,
		retryEveryMs: 20,
		onFatal: () => faults.push("fatal"),
		onRetry: () => {
			faults.push("retry");
			onRetry();
		},
		onFull: () => {
			faults.push("full");
			onRetry();
		},
		onSpace: () => faults.push("space"),
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

it("tells who follows every run of each commit, once it is durable, until they stop", async () => {
	const { store, run, log } = open();
	const other = new LiveRun({ ...record, runId: "run-other" as RunId }, initialState, log, systemClock);
	const heard: [RunId, number[]][] = [];
	const stop = log.onCommittedAny((runId, events) => heard.push([runId, events.map(({ seq }) => seq)]));
	run.dispatch({ type: "accept" });
	other.dispatch({ type: "accept" });
	const commit = await store.next();
	expect(heard).toEqual([]);
	commit.pass();
	await log.flushed();
	expect(heard).toEqual([
		[record.runId, [1]],
		["run-other", [1]],
	]);
	stop();
	store.passing = true;
	run.dispatch({ type: "cancel" });
	await log.flushed();
	expect(heard).toHaveLength(2);
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

const delta = (text: string) => ({ type: "say", update: { kind: "message_delta", messageId: "m", text } }) as const;

it("waits for a full disk for as long as it takes, ends nobody, and writes everything that was said meanwhile", async () => {
	const { store, shown, faults, run, log } = open(0);
	run.dispatch({ type: "accept" });
	run.dispatch({ type: "start", budgetMs: 1_000 });
	for (let refused = 0; refused < 3; refused++) {
		(await store.next()).full();
		run.dispatch(delta(`${refused}`));
	}
	(await store.next()).pass();
	(await store.next()).pass();
	await log.flushed();
	expect(faults).toEqual(["full", "space"]);
	expect(store.written.flatMap((append) => append.events.map((event) => event.seq))).toEqual([1, 2, 3]);
	expect(shown.at(-1)?.event).toEqual({ type: "said", update: delta("012").update });
	expect(fold(shown)).toEqual(run.state);
});

it("loses no event when the one who is told of a full disk fails himself", async () => {
	const { store, shown, run, log } = open(0, () => {
		throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
	});
	run.dispatch({ type: "accept" });
	(await store.next()).full();
	run.dispatch({ type: "start", budgetMs: 1_000 });
	(await store.next()).pass();
	(await store.next()).pass();
	await log.flushed();
	expect(shown.map((event) => event.seq)).toEqual([1, 2]);
	expect(fold(shown)).toEqual(run.state);
});

it("takes a batch only when it is written: after a failure the same events are taken again, with what followed", async () => {
	const { store, shown, faults, run, log } = open(0);
	run.dispatch({ type: "accept" });
	(await store.next()).fail();
	await log.flushed();
	expect(faults).toEqual(["fatal"]);
	run.dispatch({ type: "start", budgetMs: 1_000 });
	(await store.next()).pass();
	await log.flushed();
	expect(shown.map((event) => event.seq)).toEqual([1, 2]);
});

it("answers who waits that the disk is full, within its bound, and lets the work go on", async () => {
	const { store, run, log } = open(0);
	run.dispatch({ type: "accept" });
	const durable = run.durable();
	const answer = run.answered(durable, "it goes on");
	(await store.next()).full();
	await expect(answer).rejects.toMatchObject({
		code: "DISK_FULL",
		retryable: true,
		detail: expect.stringMatching(/full, so it goes on\.$/),
	});
	(await store.next()).pass();
	await durable;
	await log.flushed();
	await expect(run.answered(run.durable(), "it goes on")).resolves.toBeUndefined();
});

it("holds a provider back while the disk is full, so that what waits stays bounded", async () => {
	const { store, shown, run, log } = open(0);
	run.dispatch({ type: "accept" });
	run.dispatch({ type: "start", budgetMs: 1_000 });
	const first = await store.next();
	let said = 0;
	const speaking = (async () => {
		for (; said < 1_000; said++) {
			run.dispatch({ type: "say", update: { kind: "message_delta", messageId: `m${said}`, text: "x".repeat(10_000) } });
			await run.writable();
		}
	})();
	first.full();
	const second = await store.next();
	expect(said).toBeLessThan(30);
	second.pass();
	store.passing = true;
	await speaking;
	await log.flushed();
	expect(shown.map((event) => event.seq)).toEqual(Array.from({ length: 1_002 }, (_, index) => index + 1));
});

type Refusal = "full" | "fails" | "listener fails" | "teller fails";

/** Writes, or refuses in the order given, and then writes everything. */
class MoodyStore {
	readonly written: RunAppend[] = [];
	readonly #moods: Refusal[];

	constructor(moods: readonly Refusal[]) {
		this.#moods = [...moods];
	}

	async readEvents(_runId: RunId): Promise<readonly LoggedEvent[]> {
		return [];
	}

	async readTexts(): Promise<readonly never[]> {
		return [];
	}

	async append(batch: readonly RunAppend[]): Promise<void> {
		const mood = this.#moods.shift();
		if (mood === "full" || mood === "teller fails") throw Object.assign(new Error("full"), { code: "STORE_FULL" });
		if (mood === "fails") throw new Error("the disk failed");
		this.written.push(...batch);
	}
}

it("writes every event once and in order, whatever refuses and whoever fails meanwhile", async () => {
	const moods = fc.array(fc.constantFrom<Refusal>("full", "fails", "listener fails", "teller fails"), { maxLength: 8 });
	const words = fc.array(fc.tuple(fc.nat(1), fc.string({ minLength: 1, maxLength: 20 }), fc.boolean()), { minLength: 1, maxLength: 30 });
	await fc.assert(
		fc.asyncProperty(moods, words, async (refusals, said) => {
			const store = new MoodyStore(refusals);
			const fails = () => {
				if (refusals.includes("teller fails")) throw new Error("nobody can be told");
			};
			const options = { retryForMs: 60_000, answerMs: 10, retryEveryMs: 0, onFatal: fails, onRetry: fails, onFull: fails, onSpace: fails };
			const log = new CommitLog(store, options);
			const runs = ["run-a", "run-b"].map((id) => new LiveRun({ ...record, runId: id as RunId }, initialState, log, systemClock));
			const shown = new Map(runs.map(({ runId }) => [runId, [] as LoggedEvent[]]));
			for (const { runId } of runs) {
				log.onCommitted(runId, (events) => {
					shown.get(runId)?.push(...events);
					if (refusals.includes("listener fails")) throw new Error("a reader failed");
				});
			}
			for (const run of runs) {
				run.dispatch({ type: "accept" });
				run.dispatch({ type: "start", budgetMs: 1_000 });
			}
			for (const [index, text, waits] of said) {
				runs[index]?.dispatch(delta(text));
				if (waits) await new Promise((resolve) => setImmediate(resolve));
			}
			await log.flushed();
			for (const run of runs) {
				const written = store.written.filter(({ runId }) => runId === run.runId).flatMap(({ events }) => events);
				expect(written.map(({ seq }) => seq)).toEqual(Array.from({ length: run.state.lastSeq }, (_, seq) => seq + 1));
				expect(shown.get(run.runId)).toEqual(written);
				expect(fold(written)).toEqual(run.state);
			}
		}),
		{ numRuns: 60 },
	);
});
