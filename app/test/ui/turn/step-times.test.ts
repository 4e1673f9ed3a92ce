import type { Approval } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { waitedMs, withRequest } from "../../../src/ui/turn/seen-call.ts";
import { emptyTurn } from "../../../src/ui/turn/turn-view.ts";
import { at, foldUpdates, update } from "../stories.ts";

const call = (seq: number, state: string, more: object = {}) =>
	update(seq, { kind: "tool_call", toolCallId: "c1", title: "npm test", toolKind: "execute", state, ...more });

it("a step has ended when its end was first reported, whatever is reported about it later", () => {
	const output = { text: "ok", truncated: false };
	const ended = [call(1, "running"), call(3, "completed"), call(5, "completed", { output }), call(60, "failed"), call(90, "failed")];
	expect(foldUpdates(emptyTurn, ended).items).toMatchObject([{ from: at(1), to: at(3), call: { state: "failed", output } }]);
	// It goes on after all.
	expect(foldUpdates(emptyTurn, [...ended, call(95, "running")]).items).toMatchObject([{ to: at(95) }]);
});

it("the time that an agent waited for several answers about one step is their sum, in which no time counts twice", () => {
	const request = (approvalId: string, from: number, to: number) =>
		({ approvalId, state: "decided", decision: "allow_once", requestedAt: at(from), decidedAt: at(to) }) as Approval;
	const asked = { toolCallId: "c1", title: "npm test", toolKind: "execute", state: "pending" } as const;
	const waited = (...requests: readonly Approval[]) => waitedMs(requests.reduce(withRequest, asked as Parameters<typeof withRequest>[0]));
	expect(waited(request("a", 0, 30), request("b", 60, 70))).toBe(40_000);
	expect(waited(request("b", 5, 6), request("a", 0, 10), request("a", 0, 10))).toBe(10_000);
});
