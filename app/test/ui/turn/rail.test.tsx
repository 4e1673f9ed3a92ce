import { ApprovalId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { formatTime } from "../../../src/ui/text/format.ts";
import { deriveRail } from "../../../src/ui/turn/rail.ts";
import { emptyTurn, foldEvents } from "../../../src/ui/turn/turn-view.ts";
import { approval, at, BEGIN, foldUpdates, stage, update } from "../stories.ts";

describe("the stage rail", () => {
	const times = { createdAt: at(0), now: BEGIN + 100_000 };
	const shown = (...updates: Parameters<typeof foldUpdates>[1][number][]) =>
		deriveRail(foldUpdates(emptyTurn, updates), times).map(({ key, state }) => `${key} ${state}`);

	it("fills a segment only by what is recorded", () => {
		expect(deriveRail(emptyTurn, times).map(({ state }) => state)).toEqual(["now", "waiting", "waiting", "waiting", "waiting"]);
		expect(shown(stage(1, "queued"))).toEqual([
			"sent done",
			"queue now",
			"work waiting",
			"collect waiting",
			"check waiting",
			"save waiting",
		]);
		expect(shown(stage(1, "working"), stage(2, "collecting"))).toEqual([
			"sent done",
			"work done",
			"collect now",
			"check waiting",
			"save waiting",
		]);
	});

	it("calls no agent working that is only being started", () => {
		const labelled = (...updates: Parameters<typeof foldUpdates>[1][number][]) =>
			deriveRail(foldUpdates(emptyTurn, updates), times)[1]?.label;
		expect(labelled(stage(1, "starting"))).toBe("Starting");
		expect(labelled(stage(1, "starting"), stage(2, "working"))).toBe("Working");
	});

	it("counts the time of a stop from the stop, not from the beginning of the work", () => {
		const rail = deriveRail(foldUpdates(emptyTurn, [stage(1, "working", 2), stage(2, "stopping", 95)]), times);
		expect(rail[1]).toMatchObject({ label: "Stopping", milliseconds: 5_000 });
	});

	it("says since when", () => {
		const rail = deriveRail(foldUpdates(emptyTurn, [stage(1, "starting", 2), stage(2, "collecting", 12)]), times);
		expect(rail.map(({ milliseconds }) => milliseconds)).toEqual([2000, 10_000, 88_000, undefined, undefined]);
	});

	it("counts no time as work in which the agent waited for the user", () => {
		const request = (id: string, from: number, to?: number) => ({
			...approval({ approvalId: ApprovalId.parse(id) }),
			requestedAt: at(from),
			...(to !== undefined && ({ state: "decided", decision: "allow_once", decidedAt: at(to) } as const)),
		});
		const asked = (seq: number, ...of: Parameters<typeof request>) => update(seq, { kind: "approval", ...request(...of) });
		// Two requests at a time are one wait.
		const waited = [stage(1, "working", 2), asked(2, "a1", 10), asked(3, "a2", 20), asked(4, "a1", 10, 40), asked(5, "a2", 20, 70)];
		const work = (...more: typeof waited) => deriveRail(foldUpdates(emptyTurn, [...waited, ...more]), times)[1];
		expect(work()).toMatchObject({ label: "Working", milliseconds: 38_000 });
		expect(work(stage(6, "collecting", 80))).toMatchObject({ state: "done", milliseconds: 18_000 });
		expect(work(asked(6, "a3", 95))).toMatchObject({ label: "Waiting for you", milliseconds: 5_000 });
	});

	it("counts the time after an answer as work, although the last stage was that it waited", () => {
		const record = { ...approval({ approvalId: ApprovalId.parse("a1") }), requestedAt: at(10) };
		const decided = { ...record, state: "decided", decision: "allow_once", decidedAt: at(40) } as const;
		const asked = [
			update(2, { kind: "approval", ...record }),
			stage(3, "waiting_approval", 12),
			update(4, { kind: "approval", ...decided }),
		];
		const view = foldUpdates(emptyTurn, [stage(1, "working", 2), ...asked, stage(5, "collecting", 80)]);
		expect(deriveRail(view, times)[1]).toMatchObject({ state: "done", milliseconds: 48_000 });
	});

	it("counts no time as work in which a gateway said that it waited", () => {
		const view = foldUpdates(emptyTurn, [stage(1, "working", 2), stage(2, "waiting_approval", 10), stage(3, "working", 70)]);
		expect(deriveRail(view, times)[1]).toMatchObject({ label: "Working", milliseconds: 38_000 });
	});

	it("does not call known what was lost", () => {
		const view = foldEvents(foldUpdates(emptyTurn, [stage(1, "working")]), [{ type: "connection_lost", code: "X" }]);
		const [, work] = deriveRail(view, times);
		expect(work).toMatchObject({ state: "lost", label: `Working as of ${formatTime(at(1))}` });
	});

	it("shows no time that goes back when contact is lost and found again", () => {
		const working = foldUpdates(emptyTurn, [stage(1, "working")]);
		const lost = foldEvents(working, [{ type: "connection_lost", code: "X", bridgeEnded: true }]);
		const found = foldUpdates(foldEvents(lost, [{ type: "connection_restored" }]), [
			update(2, { kind: "message_delta", messageId: "m", text: "a" }),
		]);
		const shown = [working, lost, found].map(
			(view, index) => deriveRail(view, { ...times, now: times.now + index * 1000 })[1]?.milliseconds,
		);
		expect(shown).toEqual([99_000, undefined, 101_000]);
	});

	it("says of a lost run that waited for an answer that it waited, and as of when", () => {
		const asked = foldUpdates(emptyTurn, [stage(1, "working"), update(2, { kind: "approval", ...approval() })]);
		const label = (times: Parameters<typeof deriveRail>[1]) =>
			deriveRail(foldEvents(asked, [{ type: "connection_lost", code: "X", bridgeEnded: true }]), times)[1]?.label;
		expect(label(times)).toBe(`Waiting for you as of ${formatTime(at(2))}`);
		expect(label({ ...times, asOf: at(1) })).toBe(`Waiting for you as of ${formatTime(at(1))}`);
	});
});
