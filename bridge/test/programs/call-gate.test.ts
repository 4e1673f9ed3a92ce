import type { Approval, Receipt } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { CallQuestion } from "../../src/ports/tools/call-policy.ts";
import { type GateRequest, refusedAtGate } from "../../src/programs/call-gate.ts";
import { CountingHosts } from "./counting-hosts.ts";

const hosts = new CountingHosts({ destroy: { risk: "destructive" } });
const tool = hosts.tool("destroy");
const inputHash = "a".repeat(64);
const approval = { approvalId: "apr-1", toolHash: tool.toolHash, inputHash, expiresAt: "2026-01-01T00:30:00.000Z" } as Approval;
const last = (type: string, decision: object = { approvalId: "apr-1", by: "person", decision: "allow_once" }) =>
	({ type: `tool.call.${type}`, decision }) as Receipt;
const standing = (receipt: Receipt) => ({ requested: receipt, last: receipt });
const asked: GateRequest = {
	question: { tool } as CallQuestion,
	inputHash,
	standing: standing(last("approved")),
	approval,
	now: Date.parse("2026-01-01T00:10:00.000Z"),
};
const allowed: GateRequest = { question: asked.question, inputHash, standing: undefined, now: asked.now };
const open = { denial: () => undefined };

it("[T1-85] lets exactly the call start that was allowed", () => {
	expect(refusedAtGate(hosts, open, asked)).toBeUndefined();
	expect(refusedAtGate(hosts, open, allowed)).toBeUndefined();
	expect(refusedAtGate(hosts, open, { ...allowed, standing: standing(last("requested", undefined)) })).toBeUndefined();
});

it.each<[string, Partial<GateRequest>, string]>([
	["was not decided", { standing: standing(last("requested")) }, "policy"],
	["was used", { standing: standing(last("started")) }, "policy"],
	["was closed", { standing: undefined }, "policy"],
	["was denied", { standing: standing(last("approved", { approvalId: "apr-1", by: "person", decision: "deny" })) }, "policy"],
	["is another one", { standing: standing(last("approved", { approvalId: "apr-2", by: "person", decision: "allow_once" })) }, "policy"],
	["is for another input", { inputHash: "b".repeat(64) }, "policy"],
	["is for other code", { approval: { ...approval, toolHash: "c".repeat(64) } }, "tool_changed"],
	["has expired", { now: Date.parse(approval.expiresAt) }, "expired"],
])("refuses a call whose approval %s", (_what, change, reason) => {
	expect(refusedAtGate(hosts, open, { ...asked, ...change })?.reason).toBe(reason);
});

it("refuses a call that the policy allowed once it has started", () => {
	expect(refusedAtGate(hosts, open, { ...allowed, standing: standing(last("started")) })?.reason).toBe("policy");
});

it("refuses code that is no longer loaded, and what the policy denies now", () => {
	expect(refusedAtGate({ isCurrent: () => false }, open, asked)?.reason).toBe("tool_changed");
	const denial = { decision: "deny", by: "run", reason: "policy" } as const;
	expect(refusedAtGate(hosts, { denial: () => denial }, asked)).toEqual(denial);
});
