import { type Approval, ProviderId, type SessionUpdate } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { deriveOutcome } from "../../../src/ui/turn/outcome.ts";
import { emptyTurn } from "../../../src/ui/turn/turn-view.ts";
import { approval, at, ended, foldUpdates, snapshot, update } from "../stories.ts";

const asked = (seq: number, id: string, state: Approval["state"]) =>
	update(seq, { kind: "approval", ...approval({ approvalId: id as never, state, decidedAt: at(seq) }) });

function factsOf(turn: Parameters<typeof ended>[0], ...updates: readonly SessionUpdate[]): readonly string[] | undefined {
	const detail = ended(turn, snapshot({ endedAt: at(16) }));
	return deriveOutcome({ detail, view: foldUpdates(emptyTurn, updates), provider: "Lively" })?.facts;
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

it("a request that was open when the run ended badly is named in its outcome, because its steps are folded", () => {
	const input = { text: JSON.stringify({ command: "deploy \u202E production" }), truncated: false };
	const open = (state: Approval["state"], more: Partial<Approval> = {}) =>
		update(1, { kind: "approval", ...approval({ title: "Read README", input, state, ...more }) });
	const failed = { status: "failed", resultDetail: { code: "PROVIDER_EXITED" } } as const;
	const said = "The agent asked: deploy ⟨U+202E⟩ production; not answered";
	expect(factsOf(failed, open("withdrawn"))).toContain(said);
	expect(factsOf(failed, open("pending"))).toContain(said);
	// It may be answered on the gateway.
	const asker = { target: "gateway", providerId: ProviderId.parse("openclaw") } as const;
	for (const answered of [open("decided", { decision: "deny" }), open("expired"), open("withdrawn", { asker })])
		expect(factsOf(failed, answered)?.join()).not.toContain("The agent asked");
	expect(factsOf({}, open("withdrawn"))?.join()).not.toContain("The agent asked");
	const interrupted = { status: "interrupted", resultDetail: { code: "BRIDGE_RESTARTED" } } as const;
	expect(factsOf(interrupted, open("withdrawn"))?.join()).not.toContain("The agent asked");
});

it("a call that was allowed and has no result is named in the outcome of a run, because its steps are folded", () => {
	const call = { toolCallId: "tag" as never, title: "git tag v3", toolKind: "execute" } as const;
	const input = { text: JSON.stringify({ command: "git tag v3" }), truncated: false };
	const allowed = (decision: Approval["decision"]) =>
		update(2, { kind: "approval", ...approval({ ...call, input, state: "decided", decision, decidedAt: at(2) }) });
	const reported = (seq: number, state: "pending" | "running" | "completed" | "failed", more = {}) =>
		update(seq, { kind: "tool_call", ...call, state, ...more });
	const failed = { status: "failed", resultDetail: { code: "PROVIDER_EXITED" } } as const;
	const said = "Allowed: git tag v3; XWorkmate can’t tell whether it was done";
	for (const ended of [failed, {}]) expect(factsOf(ended, reported(1, "running"), allowed("allow_once"))).toContain(said);
	for (const state of ["completed", "failed"] as const)
		expect(factsOf(failed, reported(1, "running"), allowed("allow_once"), reported(3, state))?.join()).not.toContain("Allowed:");
	expect(factsOf(failed, reported(1, "running"), allowed("deny"))?.join()).not.toContain("Allowed:");
	const cancelled = { status: "cancelled" } as const;
	expect(factsOf(cancelled, reported(1, "running"), allowed("allow_once"))?.join()).not.toContain("Allowed:");
	// What was allowed, whatever the agent calls it now.
	const facts = factsOf(failed, reported(1, "running"), allowed("allow_once"), reported(3, "running", { title: "git push --force" }));
	expect(facts).toContain(said);
	expect(facts?.join()).not.toContain("force");
	const instead = { unpermitted: "another", swapped: { allowed: "git tag v3", reported: "git push" } } as const;
	expect(factsOf(failed, reported(1, "running"), allowed("allow_once"), reported(3, "running", instead))?.join()).not.toContain("Allowed:");
	// The bridge did not start it.
	expect(factsOf(failed, reported(1, "pending", { origin: "executed" }), allowed("allow_once"))?.join()).not.toContain("Allowed:");
});
