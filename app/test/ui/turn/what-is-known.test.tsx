import { cleanup, render } from "@testing-library/react";
import { type Approval, ProviderId, type SessionUpdate } from "@xworkmate/contracts";
import { afterEach, describe, expect, it } from "vitest";
import { OutcomeCard } from "../../../src/ui/run/outcome-card.tsx";
import { formatTime } from "../../../src/ui/text/format.ts";
import { deriveOutcome } from "../../../src/ui/turn/outcome.ts";
import { emptyTurn } from "../../../src/ui/turn/turn-view.ts";
import { receipt } from "../action-stories.ts";
import { approval, at, ended, foldUpdates, snapshot, stage, update } from "../stories.ts";

afterEach(cleanup);

describe("the card of a run that died with its bridge", () => {
	const tool = (seq: number, id: string, title: string, state = "running") =>
		update(seq, { kind: "tool_call", toolCallId: id, title, toolKind: "execute", state });
	const ask = (seq: number, state: Approval["state"], seconds = seq, more: Partial<Approval> = {}) => {
		const decided = state === "pending" ? {} : { decidedAt: at(seconds) };
		return update(seq, { kind: "approval", ...approval({ toolCallId: "c3" as never, state, ...decided, ...more }) }, { seconds });
	};
	const over = (seq: number, seconds: number) => update(seq, { kind: "status" }, { status: "interrupted", seconds });
	const atWork = [stage(1, "working"), tool(2, "c1", "npm test"), tool(3, "c2", "make all"), tool(4, "c3", "rm -rf build", "pending")];
	const cut = snapshot({ status: "interrupted", success: false, code: "BRIDGE_RESTARTED", endedAt: at(600) });
	const card = (updates: readonly SessionUpdate[], turn = {}) => {
		const end = { status: "interrupted", resultDetail: { code: "BRIDGE_RESTARTED", message: "x" }, ...turn } as const;
		const outcome = deriveOutcome({ detail: ended(end, cut), view: foldUpdates(emptyTurn, updates), provider: "Lively" });
		if (outcome === undefined) throw new Error("there is no outcome");
		return render(<OutcomeCard outcome={outcome} files={[]} act={() => {}} openFile={() => {}} answer="the answer" />).container
			.textContent;
	};

	it("says what was last heard of the run itself, not what the next bridge wrote of its end", () => {
		const asked = card([...atWork, ask(5, "pending"), ask(6, "withdrawn", 590), over(7, 600)]);
		expect(asked).toContain(`Last update ${formatTime(at(5))} (waiting for you)`);
		cleanup();
		expect(card([...atWork, over(5, 600)])).toContain(`Last update ${formatTime(at(4))} (working)`);
		cleanup();
		// The next bridge withdrew the request, and this app has not read that.
		expect(card([...atWork, ask(5, "pending"), over(6, 600)])).toContain(`Last update ${formatTime(at(5))} (waiting for you)`);
	});

	it.each(["withdrawn", "bridge_stopped", "run_ended"])(
		"does not take the receipt of a request that was %s for news of the run",
		(reason) => {
			const decision = { by: "bridge", decision: "deny", reason };
			const denied = receipt(1, "denied", { toolCallId: "c3", at: at(590), decision });
			const closed = receipt(2, "unknown", { toolCallId: "c1", at: at(600), outcome: { code: "NOT_REPORTED", attempt: 0, durationMs: 0 } });
			const receipts = [denied, closed].map((one, index) => update(7 + index, { kind: "receipt", ...one }, { seconds: 590 + index * 10 }));
			const text = card([...atWork, ask(5, "pending"), ask(6, "withdrawn", 590), ...receipts, over(9, 600)]);
			expect(text).toContain(`Last update ${formatTime(at(5))} (waiting for you)`);
		},
	);

	it("does not count the time in which no bridge ran", () => {
		expect(card([...atWork, over(5, 600)])).not.toContain("min");
	});

	it("names every step that was open, and calls one that was never allowed just that", () => {
		const text = card([...atWork, ask(5, "pending"), ask(6, "withdrawn", 590), over(7, 600)]);
		expect(text).toContain("Whether this step finished: npm test");
		expect(text).toContain("Whether this step finished: make all");
		expect(text).toContain("Never allowed: rm -rf build");
		expect(text).not.toContain("finished: rm -rf build");
	});

	it("does not say of a request that was open in a restored backup that it was never allowed", () => {
		const restored = { reason: "backup_restored" } as const;
		const text = card([...atWork, ask(5, "pending"), ask(6, "withdrawn", 590, restored), over(7, 600)]);
		expect(text).not.toContain("Never allowed");
		expect(text).toContain("Whether this step finished: rm -rf build");
	});

	it("does not say that something was never allowed that was allowed before it was asked for again", () => {
		const allowed = ask(5, "decided", 5, { approvalId: "apr-1" as never, decision: "allow_once", decidedBy: "user" });
		const again = (seq: number, state: Approval["state"], toolCallId: string) =>
			ask(seq, state, 590, { approvalId: "apr-2" as never, toolCallId: toolCallId as never });
		const another = card([...atWork, allowed, again(6, "pending", "c4"), again(7, "withdrawn", "c4"), over(8, 600)]);
		expect(another).toContain("Asked again, but not allowed again: rm -rf build");
		expect(another).not.toContain("Never allowed");
		cleanup();
		const same = card([...atWork, allowed, again(6, "pending", "c3"), again(7, "withdrawn", "c3"), over(8, 600)]);
		expect(same).not.toContain("Never allowed");
		expect(same).toContain("Whether this step finished: rm -rf build");
	});

	it("does not say of a step that it was never allowed where the gateway may have been answered", () => {
		const asker = { target: "gateway", providerId: ProviderId.parse("openclaw") } as const;
		const text = card([...atWork, ask(5, "pending", 5, { asker }), ask(6, "withdrawn", 590, { asker }), over(7, 600)]);
		expect(text).not.toContain("Never allowed");
		expect(text).toContain("Whether this step finished: rm -rf build");
	});

	it("names a few of many open steps, and says how many more there are", () => {
		const many = Array.from({ length: 9 }, (_, index) => tool(index + 2, `t${index}`, `step ${index}`));
		const text = card([stage(1, "working"), ...many, over(11, 600)]);
		expect(text).toContain("Whether this step finished: step 0");
		expect(text).toContain("and 4 more");
		expect(text).not.toContain("step 8");
	});

	it.each(["interrupted", "unresolved"] as const)("says what happened to a stop that was asked for, when it is %s", (status) => {
		expect(card([...atWork, over(5, 600)], { status, cancelRequestedAt: at(8) })).toContain(
			`Stop requested ${formatTime(at(8))}, but never confirmed`,
		);
		cleanup();
		expect(card([...atWork, over(5, 600)], { status })).not.toContain("Stop requested");
	});
});
