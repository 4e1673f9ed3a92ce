import { describe, expect, it } from "vitest";
import { receiptLine } from "../../../src/text/receipts/receipt-line.ts";
import { actionsTitle } from "../../../src/text/runs/actions-title.ts";
import { activitySoFar, liveRun } from "../../../src/ui/turn/activity-so-far.ts";
import { lookOf, statusWord, whyOf } from "../../../src/ui/turn/activity-view.ts";
import { deriveOutcome, type Outcome } from "../../../src/ui/turn/outcome.ts";
import { withActions } from "../../../src/ui/turn/outcome-of-actions.ts";
import { emptyTurn } from "../../../src/ui/turn/turn-view.ts";
import { activityOf, item, mixedActivity, receipt, reportedActivity, trailOf, typedCall } from "../action-stories.ts";
import { at, ended, foldUpdates, snapshot, update } from "../stories.ts";

describe("what a run has done so far", () => {
	it("follows the receipts of its updates", () => {
		const updates = trailOf("call-1", 1).map((one, index) => update(index + 1, { kind: "receipt", ...one }));
		const { receipts } = foldUpdates(emptyTurn, updates);
		expect(activitySoFar(receipts.slice(0, 2))).toMatchObject({ completed: 0, items: [{ status: "pending" }] });
		expect(activitySoFar(receipts)).toMatchObject({ completed: 1, items: [{ status: "succeeded", receiptRef: "run1.4" }] });
		// An update that is seen again changes nothing.
		expect(foldUpdates(foldUpdates(emptyTurn, updates), updates.slice(2)).receipts).toHaveLength(4);
	});

	it("completes nothing by a read or by a report, and lists no read that goes well", () => {
		const read = trailOf("call-1", 1, { risk: "read" });
		const said = trailOf("tool-1", 5, { origin: "reported", toolId: "codex:edit" });
		expect(activitySoFar([...read, ...said])).toMatchObject({ completed: 0, items: [{ origin: "reported", status: "succeeded" }] });
		expect(activitySoFar(read.slice(0, 3))?.items).toEqual([]);
		expect(
			activitySoFar([
				...read.slice(0, 3),
				receipt(4, "failed", { risk: "read", outcome: { code: "TOOL_TIMEOUT", attempt: 1, durationMs: 1 } }),
			])?.items,
		).toMatchObject([{ status: "failed", code: "TOOL_TIMEOUT" }]);
		const key = trailOf("call-1", 1, { risk: "read", detail: { keyRead: true } });
		expect(activitySoFar(key)).toMatchObject({ completed: 0, items: [{ risk: "read", status: "succeeded" }] });
		expect(activitySoFar([])).toBeUndefined();
	});

	it("keeps a denial and what the agent reports against it in one call", () => {
		const of = { origin: "reported", toolId: "evil:edit" } as const;
		const receipts = [
			receipt(1, "requested", of),
			receipt(2, "denied", { ...of, decision: { by: "person", decision: "deny", reason: "person" } }),
			receipt(3, "succeeded", { ...of, detail: { unpermitted: "denied" } }),
		];
		expect(activitySoFar(receipts)?.items).toMatchObject([{ status: "succeeded", unpermitted: "denied", approval: { decision: "deny" } }]);
	});

	it("says no longer of a call that was denied, asked about again and allowed that it was denied, nor why", () => {
		const of = { origin: "reported", toolId: "evil:execute" } as const;
		const decided = (decision: object) => ({ ...of, decision: { approvalId: "a1", by: "person", ...decision } });
		const receipts = [
			receipt(1, "requested", of),
			receipt(2, "denied", decided({ decision: "deny", reason: "person" })),
			receipt(3, "approved", decided({ decision: "allow_once" })),
		];
		const [call] = activitySoFar(receipts)?.items ?? [];
		expect(call).toMatchObject({ status: "pending", approval: { decision: "allow_once" } });
		expect(call).not.toHaveProperty("code");
	});

	it("keeps the outcome of a call that was denied after its agent reported it as done, and names what was asked", () => {
		const of = { origin: "reported", toolId: "evil:execute" } as const;
		const decision = { approvalId: "a1", by: "person", decision: "deny", reason: "person" } as const;
		const [call] =
			activitySoFar([
				receipt(1, "requested", of),
				receipt(2, "succeeded", { ...of, detail: { unpermitted: "unanswered" } }),
				receipt(3, "denied", { ...of, decision, words: "rm -rf build" }),
			])?.items ?? [];
		expect(call).toMatchObject({ status: "succeeded", unpermitted: "unanswered", words: "rm -rf build" });
		expect(call).toMatchObject({ receiptRef: "run1.2", approval: { required: true, decision: "deny", by: "person" } });
	});

	it("lists a call that was asked about or not allowed with its most serious kind, whatever it was first reported as", () => {
		const read = { origin: "reported", toolId: "evil:read", risk: "read" } as const;
		const decision = { approvalId: "a1", by: "person", decision: "deny", reason: "person" } as const;
		const execute = { ...read, toolId: "evil:execute", risk: "destructive" } as const;
		const items = (...more: Parameters<typeof activitySoFar>[0]) => activitySoFar([receipt(1, "requested", read), ...more])?.items;
		expect(items(receipt(2, "started", read), receipt(3, "succeeded", read))).toEqual([]);
		expect(
			items(receipt(2, "denied", { ...execute, decision }), receipt(3, "succeeded", { ...read, detail: { unpermitted: "denied" } })),
		).toMatchObject([{ toolId: "evil:execute", risk: "destructive", unpermitted: "denied" }]);
		expect(items(receipt(2, "succeeded", { ...read, detail: { unpermitted: "unanswered" } }))).toMatchObject([{ toolId: "evil:read" }]);
	});

	it("asks for an answer while a request is open, and says of other calls only what is known", () => {
		const request = (more: object) => update(9, { kind: "approval", ...typedCall(more) });
		const said = (receipts: Parameters<typeof activitySoFar>[0], ...requests: ReturnType<typeof request>[]) => {
			const [call] = activitySoFar(receipts)?.items ?? [];
			if (call === undefined) throw new Error("it is listed");
			const look = lookOf(call, liveRun({ ...foldUpdates(emptyTurn, requests), receipts }));
			return [statusWord(call, look), whyOf(call, look)];
		};
		const asked = [receipt(1, "requested")];
		const allowed = [...asked, receipt(2, "approved", { decision: { approvalId: "a1", by: "person", decision: "allow_once" } })];
		expect(said(asked, request({}))).toEqual(["Waiting", "Needs your answer"]);
		expect(said(asked, request({ state: "decided", decision: "allow_once", decidedAt: at(2) }))).toEqual(["No result yet", ""]);
		expect(said(allowed)).toEqual(["No result yet", "Allowed once by you"]);
		expect(said([...allowed, receipt(3, "started")])).toEqual(["Running", "Allowed once by you"]);
		expect(said([...asked, receipt(2, "started")])).toEqual(["Running", "Started, not finished"]);
		const of = { origin: "reported", toolId: "evil:execute" } as const;
		expect(said([receipt(1, "requested", of)])).toEqual(["No result yet", "Not reported as started"]);
		expect(said([receipt(1, "requested", of), receipt(2, "started", of)])).toEqual(["Reported as started", ""]);
	});

	it("asks for no answer once the run has ended", () => {
		const [open] = activitySoFar([receipt(1, "requested")])?.items ?? [];
		if (open === undefined) throw new Error("it is listed");
		expect([statusWord(open), whyOf(open)]).toEqual(["Unknown", ""]);
	});

	it("says why a call was denied, in the words of its reason", () => {
		const [denied] =
			activitySoFar([receipt(1, "requested"), receipt(2, "denied", { decision: { by: "person", decision: "deny", reason: "policy" } })])
				?.items ?? [];
		if (denied === undefined) throw new Error("it is listed");
		expect(whyOf(denied)).toBe("Denied by your rule");
		expect(whyOf({ ...denied, code: "expired" })).toBe("Expired, denied automatically");
	});
});

describe("an agent's own call that was not allowed", () => {
	const of = { origin: "reported", toolId: "evil:delete" } as const;
	const denial = (reason: string, by = "bridge") =>
		receipt(2, "denied", { ...of, decision: { approvalId: "a1", by, decision: "deny", reason } });

	it.each([
		["person", "Denied", "Denied by you"],
		["policy", "Denied", "Denied by your rule"],
		["expired", "No answer", "Expired, denied automatically"],
		["run_stopped", "No answer", "Not answered: the run was stopped"],
		["run_ended", "No answer", "Not answered: the run ended first"],
		["bridge_stopped", "No answer", "Not answered: the bridge stopped"],
		["withdrawn", "No answer", "Not answered: the request was withdrawn"],
	])("is not said to be not done: %s", (reason, word, why) => {
		const [call] = activitySoFar([receipt(1, "requested", of), denial(reason, "person")])?.items ?? [];
		if (call === undefined) throw new Error("it is listed");
		expect([statusWord(call), whyOf(call)]).toEqual([word, why]);
		expect(statusWord({ ...call, origin: "executed" })).toBe("Not done");
	});

	it("that its files contradict says what they showed, not what they show now", () => {
		const why = (contradiction: "not_found" | "still_there" | "untouched" | "not_held") =>
			whyOf(item("call-1", "succeeded", { origin: "reported", contradiction }));
		expect([why("not_found"), why("still_there"), why("untouched"), why("not_held")]).toEqual([
			"The agent reported a change, but the file wasn’t there",
			"The agent reported deleting the file, but it was still there",
			"The agent reported a change, but the file hadn’t changed",
			"The agent reported an edit, but the file didn’t contain the reported text",
		]);
	});

	it("is denied, not failed, if it was denied after it had started", () => {
		const ended = receipt(3, "failed", { ...of, outcome: { attempt: 1, durationMs: 0, code: "DENIED" } });
		const [call] = activitySoFar([receipt(1, "requested", of), receipt(2, "started", of), ended])?.items ?? [];
		if (call === undefined) throw new Error("it is listed");
		expect([statusWord(call), whyOf(call), receiptLine(ended)]).toEqual([
			"Denied",
			"Denied after it had started",
			"Failed: evil:delete, Denied after it had started, as reported",
		]);
	});
});

describe("the outcome of a run that acted", () => {
	const outcomeOf = (more: object) => {
		const detail = ended({}, snapshot(more));
		const outcome = deriveOutcome({ detail, view: emptyTurn, provider: "Script" });
		if (outcome === undefined) throw new Error("the run has ended");
		const card = withActions(outcome, detail.snapshot);
		// What the command says at the end of the same run. It says "Succeeded" where the page does, and where the page says how long it took.
		const unqualified = card.quiet ? outcome.title : "Succeeded.";
		expect(card.title).toBe(actionsTitle(detail.snapshot) ?? unqualified);
		return card;
	};

	it("names that the agent reports it did what was denied, or did not wait, whatever was delivered and however it ended", () => {
		const said = (unpermitted: "denied" | "found" | "unanswered") =>
			activityOf([
				{ ...item("call-1", "succeeded"), origin: "reported", unpermitted, approval: { required: true, decision: "deny", by: "person" } },
			]);
		expect(outcomeOf({ activity: said("denied") })).toMatchObject({
			tone: "mixed",
			title: "Succeeded, but the agent reports doing something that was denied.",
		});
		expect(outcomeOf({ activity: said("unanswered") }).title).toBe("Succeeded, but the agent reports acting without your answer.");
		const failed = withActions(
			{ tone: "bad", title: "Failed", facts: [], rejected: [], rejectedCount: 0, actions: [] },
			{ activity: said("denied") },
		);
		expect(failed.title).toBe("Failed; the agent did something that was denied, by its own report");
		const [found] = said("found").items;
		expect(outcomeOf({ activity: said("found") })).toMatchObject({
			tone: "mixed",
			title: "Succeeded, but a file was changed even though the edit was denied.",
		});
		expect(found && [statusWord(found), whyOf(found)]).toEqual([
			"Denied, but the file changed",
			"Denied by you, but the file has changed since",
		]);
		const [denied] = said("denied").items;
		const [unanswered] = said("unanswered").items;
		if (denied === undefined || unanswered === undefined) throw new Error("both are listed");
		expect([statusWord(denied), whyOf(denied)]).toEqual([
			"Denied, but reported anyway",
			"Denied by you, but the agent reports doing it anyway",
		]);
		expect([statusWord(unanswered), whyOf(unanswered)]).toEqual([
			"Reported as done, no answer",
			"The agent reports doing it without your answer",
		]);
	});

	it("names both commands where the agent reports another than the one that was allowed", () => {
		const swapped = { allowed: "ls", reported: "rm -rf stuff" };
		const call = { ...item("call-1", "succeeded"), origin: "reported", unpermitted: "another", swapped } as const;
		const allowed = { ...call, approval: { required: true, decision: "allow_once", by: "person" } } as const;
		const both = "allowed “ls”, reported “rm -rf stuff”";
		expect(outcomeOf({ activity: activityOf([allowed]) })).toMatchObject({
			tone: "mixed",
			title: "Succeeded, but the agent reports something other than what was allowed.",
			facts: expect.arrayContaining([both]),
		});
		expect(statusWord(allowed)).toBe("Reported something else");
		expect(whyOf(allowed)).toBe(`Allowed once by you, but the agent reports something other than what was allowed: ${both}`);
		const of = { origin: "reported", toolId: "evil:execute" } as const;
		const [live] =
			activitySoFar([receipt(1, "requested", of), receipt(2, "succeeded", { ...of, detail: { unpermitted: "another", ...swapped } })])
				?.items ?? [];
		expect(live).toMatchObject({ unpermitted: "another", swapped });
	});

	it("[T1-66] is not green while something that was asked for is not known to be done", () => {
		const partly = activityOf([item("call-1", "succeeded"), item("call-2", "failed")]);
		expect(outcomeOf({ activity: partly })).toMatchObject({ tone: "mixed", title: "Succeeded, but not everything was done." });
		expect(outcomeOf({ activity: mixedActivity }).title).toBe("Succeeded, but the outcome of some calls is unknown.");
		expect(outcomeOf({ activity: activityOf([item("call-1", "unknown")]) })).toMatchObject({
			tone: "mixed",
			title: "Succeeded, but the outcome of some calls is unknown.",
		});
		expect(outcomeOf({ activity: activityOf([item("call-1", "denied")]) }).title).toBe("Succeeded, but nothing was done.");
		const done = outcomeOf({ activity: activityOf([item("call-1", "succeeded")]), receipts: { count: 4, head: "a".repeat(64) } });
		expect(done).toMatchObject({ tone: "ok", title: "Succeeded." });
		expect(done.facts).toContain("4 receipts");
		expect(done.quiet).toBeUndefined();
	});

	it("offers no press that acts again, also after a failure, and leaves runs alone that only report", () => {
		expect(outcomeOf({ activity: mixedActivity }).actions).not.toContain("retry");
		const plain = outcomeOf({});
		// But for the command that failed by the agent's own report.
		const facts = ["1 command failed: gh issue close 118", ...plain.facts];
		expect(outcomeOf({ activity: reportedActivity })).toEqual({ ...plain, facts });
		const failed = { ...ended({}, snapshot({ activity: mixedActivity })) };
		const outcome: Outcome = { tone: "bad", title: "Failed", facts: [], rejected: [], rejectedCount: 0, actions: ["retry"] };
		expect(withActions(outcome, failed.snapshot)).toMatchObject({ tone: "bad", title: "Failed", actions: ["ask_again"] });
	});

	it("[T1-96] is not green and not quiet while its answer claims what nothing backs", () => {
		const problems = [{ code: "CLAIM_WITHOUT_ACTION" as const, start: 0, end: 4 }];
		const unverified = { state: "unverified" as const, problems };
		expect(outcomeOf({}).tone).toBe("ok");
		const said = outcomeOf({ grounding: unverified });
		expect(said).toMatchObject({ tone: "mixed", title: "Succeeded. 1 claim couldn’t be verified." });
		expect(said.quiet).toBeUndefined();
		expect(said.actions).not.toContain("retry");
		expect(outcomeOf({ activity: reportedActivity, grounding: { ...unverified, problems: [...problems, ...problems] } }).title).toBe(
			"Succeeded. 2 claims couldn’t be verified.",
		);
		const failed: Outcome = { tone: "bad", title: "Failed", facts: [], rejected: [], rejectedCount: 0, actions: [] };
		expect(withActions(failed, ended({}, snapshot({ grounding: unverified })).snapshot)).toMatchObject({
			tone: "bad",
			title: "Failed",
			facts: ["1 claim couldn’t be verified"],
		});
	});

	it("[T1-96] is not green and not quiet when the bridge wrote the answer instead of the assistant", () => {
		const replaced = { state: "replaced" as const, problems: [] };
		const said = outcomeOf({ grounding: replaced });
		expect(said).toMatchObject({ tone: "mixed", title: "Succeeded. The assistant’s own answer couldn’t be verified." });
		expect(said.quiet).toBeUndefined();
		const failed: Outcome = { tone: "bad", title: "Failed", facts: [], rejected: [], rejectedCount: 0, actions: [] };
		expect(withActions(failed, ended({}, snapshot({ grounding: replaced })).snapshot)).toMatchObject({
			tone: "bad",
			facts: ["The assistant’s own answer couldn’t be verified"],
		});
	});

	it("says 0 actions completed of an assistant that did nothing, once", () => {
		const none = { state: "no_action" as const, problems: [] };
		expect(outcomeOf({ grounding: none }).facts).toContain("0 actions completed");
		const denied = activityOf([item("call-1", "denied")]);
		expect(outcomeOf({ grounding: none, activity: denied }).facts).not.toContain("0 actions completed");
		expect(outcomeOf({ grounding: { ...none, state: "grounded" } })).toEqual(outcomeOf({}));
	});
});
