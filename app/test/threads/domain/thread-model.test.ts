import fc from "fast-check";
import { expect, it } from "vitest";
import { AppError } from "../../../src/errors/app-error.ts";
import { apply, currentTurn, decide, isSettled, type Thread, type ThreadCommand } from "../../../src/threads/index.ts";
import { AT } from "../../support/fake-run.ts";
import { ended, freshThread, handle, lost, pendingRun, send, synced, turnIdOf } from "../../support/thread-story.ts";

const turn = fc.constantFrom("t1", "t2", "t3");
const about = (name: string) => ({ turnId: turnIdOf(name), at: AT });

const command: fc.Arbitrary<ThreadCommand> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc
			.tuple(turn, fc.constantFrom("run" as const, "wait" as const, "full" as const))
			.map(([name, admission]) => send(name, admission)),
	},
	turn.map((name) => ({ type: "drain", ...about(name) }) as const),
	turn.map((name) => ({ type: "requeue", ...about(name) }) as const),
	{ weight: 3, arbitrary: fc.tuple(turn, fc.nat(20)).map(([name, seq]) => handle(name, `run-${name}`, seq)) },
	{ weight: 2, arbitrary: turn.map((name) => ended(name, (run) => run.text("on its way"))) },
	{ weight: 3, arbitrary: turn.map((name) => ended(name, (run) => run.end("completed", { [`${name}.md`]: name }))) },
	turn.map((name) => ended(name, (run) => run.end("completed"))),
	turn.map((name) => ended(name, (run) => run.end("failed", { "half.md": "half" }, "PROVIDER_ERROR"))),
	turn.map((name) => ended(name, (run) => run.end("artifact_missing", {}, "NO_EXPORTED_ARTIFACTS"))),
	turn.map((name) => ended(name, (run) => run.end("interrupted", {}, "BRIDGE_RESTARTED"))),
	turn.map((name) => ({ type: "request_cancel", ...about(name) }) as const),
	turn.map((name) => ({ type: "abort_unsent", ...about(name) }) as const),
	turn.map((name) => ({ type: "refuse", ...about(name), resultCode: "failed", detail: { code: "QUEUE_FULL" } }) as const),
	{ weight: 3, arbitrary: turn.map(lost) },
	{
		weight: 3,
		arbitrary: fc
			.tuple(turn, fc.constantFrom("synced" as const, "partial" as const))
			.map(([name, end]) => synced(name, [`${name}.md`], end)),
	},
	fc.constantFrom("start_sync" as const, "archive" as const, "restore" as const, "delete" as const).map((type) => ({ type, at: AT })),
);

/** Applies what is decided; refusals change nothing. Calls back after every event. */
function play(commands: readonly ThreadCommand[], seen: (before: Thread, after: Thread) => void): Thread {
	let thread = freshThread();
	for (const each of commands) {
		try {
			for (const event of decide(thread, each)) {
				const after = apply(thread, event);
				seen(thread, after);
				thread = after;
			}
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
		}
	}
	return thread;
}

it("[T4-50] [T4-69] keeps status, pending run and turns in step, whatever comes in whatever order", () => {
	fc.assert(
		fc.property(fc.array(command, { maxLength: 40, size: "max" }), (commands) => {
			play(commands, (_before, thread) => {
				const idle = thread.lifecycleStatus === "ready" || thread.lifecycleStatus === "archived";
				expect(idle).toBe(pendingRun(thread) === undefined);
				const pending = thread.turns.find((each) => each.turnId === thread.pendingTurnId);
				expect(pending).toBe(idle ? undefined : currentTurn(thread));
				if (pending === undefined) return;
				expect(thread.lifecycleStatus === "queued").toBe(pending.status === "waiting");
				expect(isSettled(pending.status)).toBe(pending.syncStatus === "syncing");
			});
		}),
		{ numRuns: 500 },
	);
});

it("a turn that is over stays as it ended, but for its files", () => {
	fc.assert(
		fc.property(fc.array(command, { maxLength: 40, size: "max" }), (commands) => {
			play(commands, (before, after) => {
				for (const old of before.turns.filter((each) => isSettled(each.status))) {
					const {
						syncStatus: _s,
						syncedPaths: _p,
						syncedAt: _a,
						resultDetail: _d,
						...kept
					} = after.turns.find((each) => each.turnId === old.turnId) ?? old;
					const { syncStatus: _os, syncedPaths: _op, syncedAt: _oa, resultDetail: _od, ...was } = old;
					expect(kept).toEqual(was);
				}
			});
		}),
		{ numRuns: 500 },
	);
});

it("[T4-33] [T4-68] lists files of the current run only, and only after a sync of a success", () => {
	fc.assert(
		fc.property(fc.array(command, { maxLength: 40, size: "max" }), (commands) => {
			play(commands, (_before, thread) => {
				const current = currentTurn(thread);
				expect(thread.lastTaskArtifactRelativePaths).toEqual(current?.syncedPaths ?? []);
				for (const path of thread.lastTaskArtifactRelativePaths) expect(path).toBe(`${current?.turnId}.md`);
				if (thread.lastTaskArtifactRelativePaths.length > 0) expect(current).toMatchObject({ status: "completed", resultCode: "success" });
				if (current?.resultCode !== "success") expect(["synced", "partial", "syncing"]).not.toContain(thread.lastArtifactSyncStatus);
			});
		}),
		{ numRuns: 500 },
	);
});

it("every command may be repeated: the second time it changes nothing or is refused", () => {
	fc.assert(
		fc.property(fc.array(command, { maxLength: 20, size: "max" }), command, (commands, last) => {
			const once = play([...commands, last], () => undefined);
			const twice = play([...commands, last, last], () => undefined);
			if (last.type !== "start_sync") expect(twice).toEqual(once);
		}),
		{ numRuns: 300 },
	);
});
