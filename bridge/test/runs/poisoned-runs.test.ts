import { join } from "node:path";
import { isTerminal, type RunId, SessionId } from "@xworkmate/contracts";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { ProviderTurn, TurnSink } from "../../src/ports/agents/provider.ts";
import { DATABASE_FILE } from "../../src/store/sqlite/index.ts";
import { Core, ended, type Play, type RemoteTurns, say } from "./core-fixture.ts";

const forever = () => new Promise<never>(() => undefined);

/** Whose turns the provider was given, in order; the test waits for one by its words. */
class Stage {
	readonly begun: string[] = [];
	#waiters: { readonly prompt: string; readonly times: number; readonly resolve: () => void }[] = [];
	readonly #hostile: ReadonlySet<string>;

	/** A hostile turn never comes back from its start, as one that hangs or ends its bridge there. */
	constructor(hostile: readonly string[]) {
		this.#hostile = new Set(hostile);
	}

	readonly play: Play = async (turn: ProviderTurn, sink: TurnSink) => {
		this.begun.push(turn.prompt);
		for (const { prompt, times, resolve } of this.#waiters) if (this.times(prompt) >= times) resolve();
		if (this.#hostile.has(turn.prompt)) return forever();
		await sink.handOver();
		await say(sink, `did ${turn.prompt}`);
		return ended;
	};

	times(prompt: string): number {
		return this.begun.filter((one) => one === prompt).length;
	}

	reached(prompt: string, times = 1): Promise<void> {
		return new Promise((resolve) => {
			if (this.times(prompt) >= times) resolve();
			else this.#waiters.push({ prompt, times, resolve });
		});
	}
}

async function openCore(stage: Stage, limits: Parameters<typeof Core.open>[1] = {}): Promise<Core> {
	const core = await Core.open(stage.play, { provenMs: 60_000, stopMs: 100, ...limits });
	core.handsOver = true;
	await core.restart();
	return core;
}

/** In its own thread unless it is named. */
const submit = (core: Core, prompt: string, threadId = `of-${prompt}`): Promise<RunId> =>
	core.submit(`turn-${prompt}`, { prompt, threadId, sessionId: threadId });

/** Opens the core over what a dead one left, and does not wait for runs that never come back. */
async function reopen(core: Core): Promise<void> {
	await core.die();
	await core.load();
	void core.coordinator.recover();
}

describe("a run that ends its bridge while it is started", () => {
	it("is tried a second time, and not a third", async () => {
		const stage = new Stage(["poison"]);
		await using core = await openCore(stage);
		const poison = await submit(core, "poison");
		await stage.reached("poison");
		await reopen(core);
		await stage.reached("poison", 2);
		expect((await core.service.snapshot(poison)).status).toBe("running");
		await reopen(core);
		const snapshot = await core.settled(poison);
		expect(snapshot).toMatchObject({ status: "interrupted", code: "POISONED", success: false });
		expect(snapshot.message).toContain("repeatedly");
		expect(stage.times("poison")).toBe(2);
	});

	it("costs no other run anything, be it started in the same moment, queued, or sent while it is tried", async () => {
		const stage = new Stage(["poison"]);
		await using core = await openCore(stage, { maxActiveRuns: 3 });
		// Both are being started when the bridge ends.
		const slow = new Stage(["poison", "innocent"]);
		core.play = slow.play;
		const innocent = await submit(core, "innocent");
		const poison = await submit(core, "poison");
		const behind = await submit(core, "behind", "of-poison");
		await Promise.all([slow.reached("innocent"), slow.reached("poison")]);
		core.play = stage.play;
		await reopen(core);
		await stage.reached("poison");
		const fresh = await submit(core, "fresh");
		expect(core.runs.admission.queuedCount).toBe(2);
		// It was tried before the one that ended the bridge, and alone.
		expect(stage.begun).toEqual(["innocent", "poison"]);
		expect((await core.settled(innocent)).status).toBe("completed");
		await reopen(core);
		expect(await core.settled(poison)).toMatchObject({ status: "interrupted", code: "POISONED" });
		for (const runId of [behind, fresh]) expect((await core.settled(runId)).status).toBe("completed");
		expect(stage.begun.toSorted()).toEqual(["behind", "fresh", "innocent", "poison"]);
	});

	it("is told from those that have not been tried again yet when it ends the bridge a second time", async () => {
		const stage = new Stage(["poison"]);
		const both = new Stage(["poison", "later"]);
		await using core = await openCore(both);
		const poison = await submit(core, "poison");
		const later = await submit(core, "later");
		await Promise.all([both.reached("poison"), both.reached("later")]);
		core.play = stage.play;
		await reopen(core);
		await stage.reached("poison");
		await reopen(core);
		expect((await core.settled(poison)).code).toBe("POISONED");
		expect((await core.settled(later)).status).toBe("completed");
	});

	it("is not blamed when another one was open both times", async () => {
		const both = new Stage(["one", "other"]);
		await using core = await openCore(both, { provenMs: 1 });
		const runs = [await submit(core, "one"), await submit(core, "other")];
		await Promise.all([both.reached("one"), both.reached("other")]);
		await reopen(core);
		// Nothing proves either, so the second is tried beside the first.
		await Promise.all([both.reached("one", 2), both.reached("other", 2)]);
		core.play = new Stage([]).play;
		await reopen(core);
		for (const runId of runs) expect((await core.settled(runId)).status).toBe("completed");
	});

	it("is not what a bridge dies of that gives up by itself", async () => {
		const stage = new Stage(["slow"]);
		await using core = await openCore(stage);
		const slow = await submit(core, "slow");
		await stage.reached("slow");
		for (const times of [2, 3, 4]) {
			await core.die();
			await core.load("ended");
			void core.coordinator.recover();
			await stage.reached("slow", times);
		}
		core.play = new Stage([]).play;
		await reopen(core);
		expect((await core.settled(slow)).status).toBe("completed");
	});

	it("is held against nobody after a stop in order", async () => {
		const stage = new Stage(["slow"]);
		await using core = await openCore(stage);
		const slow = await submit(core, "slow");
		await stage.reached("slow");
		await core.restart();
		expect((await core.settled(slow)).code).toBe("BRIDGE_STOPPED");
		expect(await core.attempts.list()).toEqual([]);
	});
});

describe("a run whose runtime has its turn", () => {
	it("is never begun again", async () => {
		let begun = 0;
		const handedOver = Promise.withResolvers<void>();
		const stage = new Stage([]);
		await using core = await openCore(stage);
		core.play = async (_turn, sink) => {
			begun++;
			await sink.handOver();
			handedOver.resolve();
			return forever();
		};
		const runId = await submit(core, "acts");
		await handedOver.promise;
		await core.crash();
		expect(await core.settled(runId)).toMatchObject({ status: "interrupted", code: "BRIDGE_RESTARTED" });
		expect(begun).toBe(1);
	});

	it("is never begun again though its bridge ended before it could take the attempt back", async () => {
		let begun = 0;
		const handedOver = Promise.withResolvers<void>();
		await using core = await openCore(new Stage([]));
		core.play = async (_turn, sink) => {
			begun++;
			await sink.handOver();
			handedOver.resolve();
			return forever();
		};
		const runId = await submit(core, "acts");
		await handedOver.promise;
		await core.attempts.write({ runId, deaths: 0, open: true });
		await core.crash();
		expect((await core.settled(runId)).code).toBe("BRIDGE_RESTARTED");
		expect(begun).toBe(1);
	});

	it("is never begun again by a bridge that finds no attempt, as after one of an older version", async () => {
		const stage = new Stage(["old"]);
		await using core = await openCore(stage);
		const runId = await submit(core, "old");
		await stage.reached("old");
		await core.attempts.remove(runId);
		await core.crash();
		expect((await core.settled(runId)).code).toBe("BRIDGE_RESTARTED");
		expect(stage.times("old")).toBe(1);
	});

	it("is never begun again when its provider does not say when that is", async () => {
		const stage = new Stage(["silent"]);
		await using core = await openCore(stage);
		core.handsOver = false;
		await core.restart();
		const runId = await submit(core, "silent");
		await stage.reached("silent");
		await core.crash();
		expect((await core.settled(runId)).code).toBe("BRIDGE_RESTARTED");
		expect(stage.times("silent")).toBe(1);
	});
});

it("a run that ends its bridge while its files are collected is finished a second time, and not a third", async () => {
	let brought = 0;
	const bringing = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const remote: RemoteTurns = {
		resumable: true,
		fetchArtifacts: () => {
			bringing[brought++]?.resolve();
			return forever();
		},
	};
	await using core = await Core.open(async () => ended, { stopMs: 100 }, remote);
	const runId = await core.submit("t1");
	await bringing[0]?.promise;
	await reopen(core);
	await bringing[1]?.promise;
	await reopen(core);
	expect(await core.settled(runId)).toMatchObject({ status: "interrupted", code: "POISONED" });
	expect(brought).toBe(2);
});

describe("before a run is taken up", () => {
	it("it is answered from its log, followed, found by its turn, and cancelled", async () => {
		const stage = new Stage(["stuck", "kept"]);
		await using core = await openCore(stage);
		const [stuck, kept] = [await submit(core, "stuck"), await submit(core, "kept")];
		const queued = await submit(core, "queued", "of-stuck");
		await Promise.all([stage.reached("stuck"), stage.reached("kept")]);
		core.play = new Stage([]).play;
		await core.die();
		await core.load();
		expect((await core.service.snapshot(stuck)).status).toBe("running");
		expect((await core.service.snapshot(queued)).status).toBe("queued");
		expect(await submit(core, "stuck")).toBe(stuck);
		expect((await core.service.cancel(stuck)).cancelRequestedAt).toBeDefined();
		expect((await core.service.cancel(queued)).status).toBe("cancelled");
		const fresh = await submit(core, "fresh", "of-kept");
		expect((await core.service.snapshot(fresh)).status).toBe("queued");
		const followed = core.until(kept, ({ status }) => isTerminal(status));
		const closed = core.service.closeSession(SessionId.parse("of-stuck"));
		await core.coordinator.recover();
		expect(await closed).toEqual({ closed: true });
		expect((await core.service.snapshot(stuck)).status).toBe("cancelled");
		expect((await followed).status).toBe("completed");
		expect((await core.settled(fresh)).status).toBe("completed");
		expect(core.errors).toEqual([]);
	});
});

it("a run whose log cannot be read keeps no other one from going on, nor the bridge from starting", async () => {
	const stage = new Stage(["stuck"]);
	await using core = await openCore(stage, { maxActiveRuns: 1 });
	await submit(core, "stuck");
	const damaged = await submit(core, "damaged");
	const other = await submit(core, "other");
	await stage.reached("stuck");
	await core.die();
	const db = new Database(join(core.home, "bridge", DATABASE_FILE));
	db.exec("DROP TRIGGER event_never_updated");
	db.prepare("UPDATE event SET body = '{' WHERE run = (SELECT id FROM run WHERE run_id = ?)").run(damaged);
	db.close();
	core.play = new Stage([]).play;
	await core.start();
	expect((await core.settled(other)).status).toBe("completed");
	expect(core.errors.length).toBeGreaterThan(0);
});
