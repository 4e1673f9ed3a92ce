import { isTerminal, limits } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timestamp } from "../../../src/ports/clock.ts";
import type { LoggedEvent } from "../../../src/ports/runs/run-event.ts";
import { decide, type RunCommand } from "../../../src/runs/domain/decide.ts";
import { apply, initialState, type RunState } from "../../../src/runs/domain/run-state.ts";
import { toSnapshot } from "../../../src/runs/domain/run-view.ts";
import { command, provider, record } from "./arbitrary.ts";
import { fold } from "./fold.ts";

interface Played {
	readonly state: RunState;
	readonly log: readonly LoggedEvent[];
}

function play(commands: readonly RunCommand[], from: Played = { state: initialState, log: [] }, start = 0): Played {
	let { state } = from;
	const log = [...from.log];
	commands.forEach((step, index) => {
		for (const event of decide(state, step, start + index * 1_000)) {
			const at = timestamp(start + index * 1_000);
			state = apply(state, { seq: state.lastSeq + 1, at, event });
			log.push({ seq: state.lastSeq, at, status: state.status, event });
		}
	});
	return { state, log };
}

const running: readonly RunCommand[] = [{ type: "accept" }, { type: "start", budgetMs: 60_000 }];
const spoke: RunCommand = { type: "say", update: { kind: "message_delta", messageId: "m", text: "hello" } };
const done: RunCommand = { type: "end_provider", outcome: { kind: "ended" } };
const conclude: RunCommand = { type: "conclude", provider };

describe("a run's log", () => {
	it("is gapless from 1 and folds to the state it was written from", () => {
		fc.assert(
			fc.property(fc.array(command, { maxLength: 40, size: "max" }), (commands) => {
				const { state, log } = play(commands);
				expect(log.map((event) => event.seq)).toEqual(log.map((_, index) => index + 1));
				expect(fold(log)).toEqual(state);
			}),
		);
	});

	it("never changes after a terminal event, whatever is asked", () => {
		fc.assert(
			fc.property(fc.array(command, { maxLength: 40, size: "max" }), fc.array(command, { maxLength: 10 }), (before, after) => {
				const first = play(before);
				fc.pre(isTerminal(first.state.status));
				expect(play(after, first)).toEqual(first);
				expect(first.log.filter((event) => event.event.type === "ended")).toHaveLength(1);
			}),
		);
	});

	it("leaves no approval pending at its end", () => {
		fc.assert(
			fc.property(fc.array(command, { maxLength: 40, size: "max" }), (commands) => {
				const { state, log } = play([...commands, { type: "accept" }, { type: "interrupt", code: "BRIDGE_RESTARTED", message: "x" }]);
				expect(state.pendingApprovals).toEqual([]);
				const asked = log.flatMap(({ event }) => (event.type === "approval" ? [event.record] : []));
				const last = new Map(asked.map((approval) => [approval.approvalId, approval.state]));
				expect([...last.values()]).not.toContain("pending");
			}),
		);
	});

	it("[T4-15] shows one stable result shape: success only when completed, output only at the end", () => {
		fc.assert(
			fc.property(fc.array(command, { maxLength: 40, size: "max" }), (commands) => {
				const snapshot = toSnapshot(record, play(commands).state, 0);
				expect(snapshot.success).toBe(snapshot.status === "completed");
				expect(snapshot.output !== undefined).toBe(isTerminal(snapshot.status));
				if (snapshot.status === "completed") expect(snapshot.code).toBeUndefined();
			}),
		);
	});
});

describe("a place in the queue", () => {
	/** Every place that the log says while a run moves to the front by these steps. */
	const said = (first: number, steps: readonly number[]): readonly number[] => {
		let state = initialState;
		const places: number[] = [];
		let position = first;
		for (const step of [0, ...steps]) {
			position -= step;
			if (position < 1) break;
			for (const event of decide(state, { type: "move_in_queue", position, length: position }, 0)) {
				state = apply(state, { seq: state.lastSeq + 1, at: timestamp(0), event });
				places.push(position);
			}
		}
		return places;
	};

	it("is in the log at most ten times, however the run moves in a queue of 500, and the first one always", () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 500 }), fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 600 }), (first, steps) => {
				const places = said(first, steps);
				expect(places[0]).toBe(first);
				expect(places.length).toBeLessThanOrEqual(10);
				expect(places).toEqual([...new Set(places)].toSorted((a, b) => b - a));
			}),
		);
		expect(
			said(
				500,
				Array.from({ length: 499 }, () => 1),
			),
		).toEqual([500, 200, 100, 50, 20, 10, 5, 3, 2, 1]);
		expect(said(12, [1, 3, 4, 3])).toEqual([12, 8, 4, 1]);
	});

	it("is not said again because others have joined or left behind it", () => {
		const state = apply(initialState, { seq: 1, at: timestamp(0), event: { type: "queue_moved", position: 3, length: 4 } });
		expect(decide(state, { type: "move_in_queue", position: 3, length: 9 }, 0)).toEqual([]);
	});
});

describe("how a run ends", () => {
	it("completes when something was said and the contract holds", () => {
		expect(play([...running, spoke, done, conclude]).state.status).toBe("completed");
	});

	it("fails with NO_OUTPUT when nothing was said and nothing delivered", () => {
		const blank: RunCommand = { type: "say", update: { kind: "message_delta", messageId: "m", text: " \n" } };
		expect(play([...running, blank, done, conclude]).state).toMatchObject({
			...{ status: "failed", code: "NO_OUTPUT" },
			// It may have changed files elsewhere.
			endMessage: "The agent ended without an answer and delivered no files.",
		});
	});

	it("[T4-30] does not take words for files: a claim without the required file is artifact_missing", () => {
		const breach = { code: "REQUIRED_ARTIFACT_MISSING", message: "*.pdf: 0 of 1" } as const;
		const { state } = play([...running, spoke, done, { ...conclude, breach }]);
		expect(state).toMatchObject({ status: "artifact_missing", code: "REQUIRED_ARTIFACT_MISSING" });
	});

	it("words a missing required file of the gateway as the protocol does", () => {
		const breach = { code: "REQUIRED_ARTIFACT_MISSING", message: "*.pdf: 0 of 1" } as const;
		const gateway: RunCommand = { type: "conclude", provider: { ...provider, target: "gateway" }, breach };
		const { state } = play([...running, spoke, done, gateway]);
		expect(state.code).toBe("OPENCLAW_REQUIRED_ARTIFACT_MISSING");
		expect(state.endMessage).toContain("openclaw returned partial artifacts without required final deliverables");
	});

	it("names a stop that did not end everything, whoever asked for it", () => {
		const incomplete = "still running: `make`";
		const stopped: RunCommand = { type: "end_provider", outcome: { kind: "cancelled", remote: false, incomplete } };
		const expected = { status: "cancelled", code: "CANCEL_INCOMPLETE", endMessage: incomplete };
		expect(play([...running, { type: "cancel" }, stopped, conclude]).state).toMatchObject(expected);
		expect(play([...running, stopped, conclude]).state).toMatchObject(expected);
	});

	it("says of a stop that the agent did not respond to it", () => {
		const forced = "Agent did not respond to the stop within 10 s, so the bridge ended its process.";
		const ended: RunCommand = { type: "end_provider", outcome: { kind: "cancelled", remote: false, forced } };
		const { state } = play([...running, { type: "cancel" }, ended, conclude]);
		expect([state.status, state.code, state.endMessage]).toEqual(["cancelled", undefined, forced]);
	});

	it.each([
		["says of a stop that the agent reported a normal end instead", {}, "normal"],
		["says rather that the agent was ended", { forced: "ended" }, "ended"],
	])("%s", (_, more, message) => {
		const ended: RunCommand = { type: "end_provider", outcome: { kind: "cancelled", remote: false, normalEnd: "normal", ...more } };
		const { state } = play([...running, { type: "cancel" }, ended, conclude]);
		expect([state.status, state.code, state.endMessage]).toEqual(["cancelled", undefined, message]);
	});

	it("names a stop that nobody asked for here", () => {
		const stopped: RunCommand = { type: "end_provider", outcome: { kind: "cancelled", remote: true } };
		expect(play([...running, stopped, conclude]).state).toMatchObject({ status: "cancelled", code: "CANCELLED_REMOTELY" });
	});
});

describe("cancel", () => {
	it("ends a queued run at once", () => {
		expect(play([{ type: "accept" }, { type: "cancel" }]).state.status).toBe("cancelled");
	});

	it("lets an end of turn that landed first stand", () => {
		const late = play([...running, spoke, done, { type: "cancel" }]).state;
		expect(late.cancelRequestedAt).toBeUndefined();
		expect(late.progress?.stage).not.toBe("stopping");
		expect(play([...running, spoke, done, { type: "cancel" }, conclude]).state.status).toBe("completed");
	});

	it("is a wish until the stop is confirmed", () => {
		const { state } = play([...running, { type: "cancel" }]);
		expect(state).toMatchObject({ status: "running", progress: { stage: "stopping" } });
		const stopped: RunCommand = { type: "end_provider", outcome: { kind: "cancelled", remote: false } };
		const ended = play([...running, { type: "cancel" }, stopped, conclude]).state;
		expect(ended.status).toBe("cancelled");
		expect(ended.code).toBeUndefined();
	});

	it("brings the deadline to at most five minutes from now when it is not confirmed", () => {
		const { state } = play([{ type: "accept" }, { type: "start", budgetMs: 3_600_000 }, { type: "cancel" }, { type: "shorten_deadline" }]);
		expect(Date.parse(state.deadlineAt ?? "")).toBe(3_000 + limits.cancelDeadlineMs);
	});
});

describe("a hand-over", () => {
	const handOver: RunCommand = { type: "hand_over" };

	it("is in the log once, and before what the runtime says", () => {
		const { state, log } = play([...running, handOver, handOver, spoke]);
		expect(state.handedOver).toBe(true);
		expect(log.flatMap(({ event }) => (event.type === "progress" ? [event] : []))).toEqual([
			{ type: "progress", progress: { stage: "working" }, handedOver: true },
		]);
	});

	it("does not make a run that is being stopped look as if it worked", () => {
		const { state } = play([...running, { type: "cancel" }, handOver]);
		expect(state).toMatchObject({ handedOver: true, progress: { stage: "stopping" } });
	});

	it("is read in a log of an earlier version, which has the stage alone, and in no stage but that one", () => {
		const { log } = play(running);
		for (const [stage, handedOver] of [
			["working", true],
			["starting", false],
			["stopping", false],
		] as const) {
			const progress: LoggedEvent = { seq: 3, at: timestamp(0), status: "running", event: { type: "progress", progress: { stage } } };
			expect(fold([...log, progress]).handedOver).toBe(handedOver);
		}
	});
});

describe("waiting for a person", () => {
	it("moves the deadline by the time waited, once for overlapping requests", () => {
		const ask = (approvalId: string): RunCommand => ({
			type: "ask",
			record: { ...asked.record, approvalId: approvalId as typeof asked.record.approvalId },
		});
		const answer = (approvalId: string): RunCommand => ({
			type: "answer",
			approvalId,
			decision: "allow_once",
			decidedBy: "person",
			windowSeconds: 900,
		});
		const before = play(running).state.deadlineAt ?? "";
		// Asked at 2 s and 3 s, answered at 4 s and 5 s: three seconds of waiting.
		const { state } = play([...running, ask("a1"), ask("a2"), answer("a1"), answer("a2")]);
		expect(Date.parse(state.deadlineAt ?? "") - Date.parse(before)).toBe(3_000);
		expect(state.progress?.stage).toBe("working");
	});
});

const asked = fc.sample(command, { numRuns: 500, seed: 1 }).find((step) => step.type === "ask") as Extract<RunCommand, { type: "ask" }>;
