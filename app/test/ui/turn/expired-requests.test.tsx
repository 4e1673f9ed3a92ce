import type { Approval, SessionUpdate } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { deriveOutcome } from "../../../src/ui/turn/outcome.ts";
import { emptyTurn } from "../../../src/ui/turn/turn-view.ts";
import { approval, at, ended, foldUpdates, snapshot, update } from "../stories.ts";

const asked = (seq: number, id: string, state: Approval["state"]) =>
	update(seq, { kind: "approval", ...approval({ approvalId: id as never, state, decidedAt: at(seq) }) });

function factsOf(turn: Parameters<typeof ended>[0], ...updates: readonly SessionUpdate[]): readonly string[] | undefined {
	const detail = ended(turn, snapshot({ endedAt: at(16) }));
	return deriveOutcome({ detail, view: foldUpdates(emptyTurn, updates), provider: "Lively", waiting: 0 })?.facts;
}

it.each([
	["succeeded", {}],
	["failed", { status: "failed", resultDetail: { code: "REFUSED" } }],
	["was stopped", { status: "cancelled" }],
] as const)("the end of a run that %s says that a request expired, because the steps before it are folded", (_, turn) => {
	expect(factsOf(turn, asked(1, "a", "expired"))).toContain("1 request expired");
	expect(factsOf(turn, asked(1, "a", "expired"), asked(2, "b", "expired"))).toContain("2 requests expired");
});

it("a request that was answered or withdrawn did not expire", () => {
	expect(factsOf({}, asked(1, "a", "withdrawn"), asked(2, "b", "decided"))?.join()).not.toContain("expired");
});
