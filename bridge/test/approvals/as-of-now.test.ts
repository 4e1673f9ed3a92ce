import type { ApprovalDecision, ApprovalId, PolicyDecision } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { VersionState } from "../../src/ports/tools/tool-hosts.ts";
import { askedCall, deleting, openCore, startRun, trailOf } from "./typed-calls.ts";

/** A request of a typed call that waits, as it is listed and read. */
async function asked(isAccepted: boolean) {
	const core = await openCore();
	const runId = await startRun(core);
	const { approvalId } = await askedCall(core, runId, 1, { tool: { ...deleting, isAccepted } });
	const becomes = (state: VersionState) => {
		core.versionState = ({ toolId, toolHash }) => (toolId === deleting.toolId && toolHash === deleting.toolHash ? state : "gone");
	};
	const shown = async () => {
		const { items } = await core.service.listApprovals({ runId, limit: 10 });
		const { record } = await core.service.approval(approvalId as ApprovalId);
		expect(items).toEqual([record]);
		return record;
	};
	const decide = (decision: ApprovalDecision) => core.service.decideApproval(approvalId, decision, "person");
	return { core, runId, becomes, shown, decide };
}

it("says of the tool's code what is so now: accepted after the request, or no longer accepted", async () => {
	const { core, becomes, shown } = await asked(false);
	await using _core = core;
	becomes("unaccepted");
	expect(await shown()).toMatchObject({ unaccepted: true, options: ["allow_once", "deny"] });
	becomes("accepted");
	expect(await shown()).not.toHaveProperty("unaccepted");
	becomes("unaccepted");
	expect(await shown()).toMatchObject({ unaccepted: true });
});

it("can only be denied while its tool's code is another one, and says so", async () => {
	const { core, becomes, shown, decide } = await asked(true);
	await using _core = core;
	const before = await shown();
	becomes("gone");
	expect(await shown()).toMatchObject({ toolChanged: true, options: ["deny"] });
	becomes("accepted");
	expect(await shown()).toEqual(before);
	becomes("gone");
	const { record, applied } = await decide("deny");
	expect([applied, record.decision]).toEqual([true, "deny"]);
	expect(await shown()).toEqual(record);
	expect(record).not.toHaveProperty("toolChanged");
});

it.each(["allow_once", "allow_window"] as const)(
	"is denied by %s while its tool's code is another one, because it could not start",
	async (decision) => {
		const { core, runId, becomes, shown, decide } = await asked(true);
		await using _core = core;
		becomes("gone");
		const { record, applied } = await decide(decision);
		expect([applied, record]).toMatchObject([false, { state: "decided", decision: "deny", decidedBy: "policy", reason: "tool_changed" }]);
		expect(await shown()).toEqual(record);
		expect((await trailOf(core, runId)).at(-1)).toMatchObject({
			type: "tool.call.denied",
			decision: { by: "policy", decision: "deny", reason: "tool_changed" },
		});
	},
);

it("can only be denied while a rule denies its tool, says so, and is denied by an answer that allows it", async () => {
	const { core, becomes, shown, decide } = await asked(false);
	await using _core = core;
	becomes("unaccepted");
	let rule: PolicyDecision | undefined;
	core.toolRules = { version: "v1", ruleOf: () => rule };
	await core.die();
	await core.load();
	expect(await shown()).not.toHaveProperty("forbidden");
	rule = "ask";
	expect(await shown()).not.toHaveProperty("forbidden");
	rule = "deny";
	expect(await shown()).toMatchObject({ unaccepted: true, forbidden: true, options: ["deny"] });
	const { record, applied } = await decide("allow_once");
	expect([applied, record]).toMatchObject([false, { decision: "deny", decidedBy: "person", reason: "policy" }]);
});

it("is as it was recorded until the tools have been read after a start, and an answer counts", async () => {
	const { core, runId, becomes, shown, decide } = await asked(false);
	await using _core = core;
	const before = await shown();
	becomes("unread");
	expect(await shown()).toEqual({ ...before, unaccepted: true });
	const { record, applied } = await decide("allow_once");
	expect([applied, record]).toMatchObject([true, { state: "decided", decision: "allow_once", decidedBy: "person" }]);
	expect((await trailOf(core, runId)).at(-1)).toMatchObject({ type: "tool.call.approved" });
});

it("keeps what was so when it was answered", async () => {
	const { core, becomes, shown, decide } = await asked(false);
	await using _core = core;
	becomes("unaccepted");
	await decide("allow_once");
	becomes("accepted");
	expect(await shown()).toMatchObject({ unaccepted: true, decision: "allow_once" });
});
