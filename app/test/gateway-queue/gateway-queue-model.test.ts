import { artifactScope, RunId, SessionId, ThreadId, TurnId } from "@xworkmate/contracts";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { GatewayQueueLimits } from "../../src/api/app-api.ts";
import { AppError } from "../../src/errors/app-error.ts";
import { admit, drainOpenClawGatewayQueue, placesOf, queueStateOf } from "../../src/gateway-queue/index.ts";
import {
	applyAll,
	decide,
	type GatewayTurn,
	isTurnedAway,
	type Thread,
	type ThreadCommand,
	type TurnKey,
} from "../../src/threads/index.ts";
import { AT, FakeRun } from "../support/fake-run.ts";

const threadIds = ["a", "b", "c", "d", "e"].map((id) => ThreadId.parse(id));

/** The queue over real threads, as the app drives it. */
class LaneWorld {
	readonly threads = new Map<ThreadId, Thread>();
	/** In the order they were written. */
	readonly written: TurnKey[] = [];
	readonly started: TurnKey[] = [];
	readonly gone = new Set<string>();
	limits: GatewayQueueLimits = { maxActive: 1, maxQueued: 3 };
	paused = false;

	get gatewayQueue() {
		return queueStateOf(this.turns());
	}

	/** What the store answers: turns that wait or hold a slot, in the order they were written. */
	turns(): readonly GatewayTurn[] {
		const holds = new Set(["sending", "queued", "running"]);
		const known = this.written.map((key) => ({ ...key, status: this.turn(key)?.status ?? "refused" }));
		const open = known.filter(({ status }) => status === "waiting" || holds.has(status));
		return open.map(({ threadId, turnId, status }) => ({ threadId, turnId, waits: status === "waiting" }));
	}

	turn({ threadId, turnId }: TurnKey) {
		return this.threads.get(threadId)?.turns.find((turn) => turn.turnId === turnId);
	}

	tell(threadId: ThreadId, ...commands: readonly ThreadCommand[]): void {
		for (const command of commands) {
			const before = this.threads.get(threadId);
			const after = applyAll(before, decide(before, command));
			if (after !== undefined) this.threads.set(threadId, after);
		}
	}

	send(threadId: ThreadId): void {
		const turnId = TurnId.parse(`t${this.written.length}`);
		const admission = admit(this.gatewayQueue, this.limits);
		const before = this.threads.get(threadId);
		try {
			this.tell(threadId, { type: "create", threadId, sessionId: SessionId.parse(threadId), title: "x", at: AT });
			this.tell(threadId, { type: "send", turnId, at: AT, admission });
		} catch (error) {
			if (error instanceof AppError && error.code === "THREAD_BUSY") return;
			throw error;
		}
		this.written.push({ threadId, turnId });
		if (admission === "run") this.#start({ threadId, turnId });
		if (admission === "wait") expect(this.gatewayQueue.waiting.length).toBeLessThanOrEqual(this.limits.maxQueued);
		if (admission === "full") this.#expectTurnedAway(before, { threadId, turnId });
	}

	drain(): void {
		if (this.paused) return;
		for (const key of drainOpenClawGatewayQueue(this.gatewayQueue, this.limits)) {
			this.tell(key.threadId, { type: "drain", turnId: key.turnId, at: AT });
			this.#start(key);
		}
	}

	/** One that holds a slot is accepted, ends, or is given up on. */
	advance(index: number, how: "accept" | "end" | "lose"): void {
		const { active } = this.gatewayQueue;
		const key = active[index % Math.max(1, active.length)];
		if (key === undefined) return;
		const { threadId, turnId } = key;
		const run = new FakeRun(threadId, turnId, `run-${turnId}`);
		const runId = RunId.parse(`run-${turnId}`);
		const handle = { runId, artifactScope: artifactScope(threadId, runId), status: "running", lastSeq: 1 } as const;
		const detail = { code: "ACP_HTTP_CONNECT_FAILED", message: "nothing answers" };
		const commands = {
			accept: { type: "see_handle", turnId, at: AT, handle },
			end: { type: "apply_snapshot", turnId, at: AT, snapshot: run.end("completed").snapshot() },
			lose: { type: "fail_recovery", turnId, at: AT, resultCode: "ACP_HTTP_CONNECT_FAILED", detail },
		} as const;
		this.tell(threadId, commands[how]);
		if (how === "accept") expect(this.gatewayQueue.active).toEqual(active);
	}

	cancel(threadId: ThreadId): void {
		const waiting = this.gatewayQueue.waiting.find((key) => key.threadId === threadId);
		if (waiting === undefined) return;
		this.tell(threadId, { type: "request_cancel", turnId: waiting.turnId, at: AT });
		this.gone.add(waiting.turnId);
		expect(this.threads.get(threadId)).toMatchObject({ lifecycleStatus: "ready", lastResultCode: "aborted" });
	}

	#start(key: TurnKey): void {
		this.started.push(key);
		const { active, waiting } = this.gatewayQueue;
		expect(active.length).toBeLessThanOrEqual(this.limits.maxActive);
		// No one who came earlier still waits.
		const mine = this.written.findIndex(({ turnId }) => turnId === key.turnId);
		for (const { turnId } of waiting) expect(this.written.findIndex((each) => each.turnId === turnId)).toBeGreaterThan(mine);
	}

	#expectTurnedAway(before: Thread | undefined, key: TurnKey): void {
		this.gone.add(key.turnId);
		const after = this.threads.get(key.threadId);
		expect(after).toMatchObject({ lifecycleStatus: "ready", lastResultCode: "OPENCLAW_GATEWAY_QUEUE_FULL" });
		expect(after?.turns.filter(isTurnedAway).at(-1)?.turnId).toBe(key.turnId);
		expect(after?.lastArtifactSyncStatus).toBe(before?.lastArtifactSyncStatus);
		expect(after?.lastTaskArtifactRelativePaths).toEqual(before?.lastTaskArtifactRelativePaths ?? []);
	}
}

const thread = fc.constantFrom(...threadIds);
const step: fc.Arbitrary<(world: LaneWorld) => void> = fc.oneof(
	{ weight: 5, arbitrary: thread.map((id) => (world: LaneWorld) => world.send(id)) },
	{
		weight: 4,
		arbitrary: fc.tuple(fc.nat(3), fc.constantFrom("accept" as const, "end" as const, "lose" as const)).map(
			([index, how]) =>
				(world: LaneWorld) =>
					world.advance(index, how),
		),
	},
	thread.map((id) => (world: LaneWorld) => world.cancel(id)),
	fc.record({ maxActive: fc.nat(3), maxQueued: fc.nat(4) }).map((limits) => (world: LaneWorld) => {
		world.limits = limits;
	}),
	fc.boolean().map((paused) => (world: LaneWorld) => {
		world.paused = paused;
	}),
	{ weight: 3, arbitrary: fc.constant((world: LaneWorld) => world.drain()) },
);

it("[T4-08] [T4-40] [T4-53] [T4-54] serves first come first over all threads, within its bounds, and loses nobody", () => {
	fc.assert(
		fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
			const world = new LaneWorld();
			for (const each of steps) {
				each(world);
				const { waiting } = world.gatewayQueue;
				expect(placesOf(world.gatewayQueue, undefined).map(({ turnId, place }) => [turnId, place.position, place.length])).toEqual(
					waiting.map(({ turnId }, index) => [turnId, index + 1, waiting.length]),
				);
			}
			// Runs end sooner or later, and the bridge comes back: then everyone who waits is served.
			world.paused = false;
			world.limits = { maxActive: Math.max(1, world.limits.maxActive), maxQueued: 0 };
			for (let left = world.gatewayQueue.waiting.length + 1; left > 0; left--) {
				while (world.gatewayQueue.active.length > 0) world.advance(0, "end");
				world.drain();
			}
			expect(world.gatewayQueue.waiting).toEqual([]);
			const expected = world.written.filter(({ turnId }) => !world.gone.has(turnId));
			expect(world.started).toEqual(expected);
		}),
		{ numRuns: 400 },
	);
});
