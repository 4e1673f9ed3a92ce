import type { Approval, ApprovalId, RunId } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type AskingRun, WaitingCalls } from "../../src/approvals/waiting-calls.ts";
import { systemClock, timestamp } from "../../src/ports/clock.ts";

const MINUTE = 60_000;

/** Runs whose requests expire as told. */
class Runs {
	readonly expired: string[] = [];
	readonly #runs = new Map<RunId, Approval[]>();
	readonly waiting = new WaitingCalls(systemClock, (runId) => this.#find(runId));

	ask(runId: string, approvalId: string, expiresAt: number, toolId: string | undefined = "calendar.event.delete"): void {
		const record = { approvalId, expiresAt: timestamp(expiresAt), ...(toolId !== "" && { toolId }) } as Approval;
		this.#runs.set(runId as RunId, [...(this.#runs.get(runId as RunId) ?? []), record]);
		this.waiting.watch(runId as RunId);
	}

	end(runId: string): void {
		this.#runs.delete(runId as RunId);
	}

	#find(runId: RunId): AskingRun | undefined {
		const pendingApprovals = this.#runs.get(runId);
		if (pendingApprovals === undefined) return undefined;
		return { state: { pendingApprovals }, dispatch: ({ approvalId }) => this.#expire(runId, approvalId) };
	}

	#expire(runId: RunId, approvalId: ApprovalId): boolean {
		this.expired.push(approvalId);
		this.#runs.set(
			runId,
			(this.#runs.get(runId) ?? []).filter((record) => record.approvalId !== approvalId),
		);
		return true;
	}
}

describe("typed calls that wait for the user", () => {
	beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
	afterEach(() => void vi.useRealTimers());

	it("expire each at its own time, in whatever order they came, with one timer", () => {
		const runs = new Runs();
		const start = Date.now();
		runs.ask("run-1", "late", start + 30 * MINUTE);
		runs.ask("run-2", "early", start + 10 * MINUTE);
		runs.ask("run-1", "middle", start + 20 * MINUTE);
		expect([vi.getTimerCount(), runs.waiting.count]).toEqual([1, 3]);
		vi.advanceTimersByTime(10 * MINUTE - 1);
		expect(runs.expired).toEqual([]);
		vi.advanceTimersByTime(1);
		expect(runs.expired).toEqual(["early"]);
		vi.advanceTimersByTime(10 * MINUTE);
		expect([runs.expired, vi.getTimerCount()]).toEqual([["early", "middle"], 1]);
		vi.advanceTimersByTime(10 * MINUTE);
		expect([runs.expired, vi.getTimerCount(), runs.waiting.count]).toEqual([["early", "middle", "late"], 0, 0]);
	});

	it("expire no later because the clock is set back", () => {
		const runs = new Runs();
		runs.ask("run-1", "asked", Date.now() + 15 * MINUTE);
		vi.setSystemTime(Date.now() - 60 * MINUTE);
		vi.advanceTimersByTime(15 * MINUTE);
		expect(runs.expired).toEqual(["asked"]);
	});

	it("that are over need no timer once it has rung, and an agent's requests never have one", () => {
		const runs = new Runs();
		runs.ask("run-1", "asked", Date.now() + MINUTE);
		runs.ask("run-2", "an agent's", Date.now() + MINUTE, "");
		runs.end("run-1");
		expect(runs.waiting.count).toBe(0);
		vi.advanceTimersByTime(MINUTE);
		expect([runs.expired, vi.getTimerCount()]).toEqual([[], 0]);
	});

	it("have no timer in a bridge that is stopping", () => {
		const runs = new Runs();
		runs.ask("run-1", "before", Date.now() + MINUTE);
		runs.waiting[Symbol.dispose]();
		runs.ask("run-2", "after", Date.now() + MINUTE);
		expect(vi.getTimerCount()).toBe(0);
	});
});
