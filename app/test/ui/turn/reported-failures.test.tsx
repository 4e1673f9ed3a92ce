import { cleanup, fireEvent, render } from "@testing-library/react";
import { type ActivityItem, omitUndefined } from "@xworkmate/contracts";
import { afterEach, expect, it } from "vitest";
import { AgentPlan } from "../../../src/ui/run/agent-plan.tsx";
import { OutcomeCard } from "../../../src/ui/run/outcome-card.tsx";
import { ToolRow } from "../../../src/ui/run/tool-call-row.tsx";
import { deriveOutcome } from "../../../src/ui/turn/outcome.ts";
import { withActions } from "../../../src/ui/turn/outcome-of-actions.ts";
import { emptyTurn, type TurnView } from "../../../src/ui/turn/turn-view.ts";
import { activityOf, item } from "../action-stories.ts";
import { at, ended, snapshot } from "../stories.ts";

afterEach(cleanup);

function shown(turn: Parameters<typeof ended>[0], end: Parameters<typeof ended>[1], view: TurnView = emptyTurn): string {
	const outcome = deriveOutcome({ detail: ended(turn, end), view, provider: "Lively" });
	if (outcome === undefined) throw new Error("there is no outcome");
	const card = <OutcomeCard outcome={outcome} files={[]} act={() => {}} openFile={() => {}} answer="All tests pass." />;
	return render(card).container.textContent ?? "";
}

it("a command that failed by the agent's own report stands beside an answer that says otherwise", () => {
	const end = (...items: readonly ActivityItem[]) => snapshot({ status: "completed", success: true, activity: activityOf(items) });
	const ran = (id: string, status: "failed" | "succeeded", words: string) =>
		item(id, status, { origin: "reported", toolId: "codex:execute", words, ...(status === "failed" && { code: "TOOL_FAILED" }) });
	const text = (...items: readonly ActivityItem[]) => {
		cleanup();
		return shown({ status: "completed" }, end(...items));
	};
	expect(text(ran("c1", "failed", "npm test"))).toContain("1 command failed: npm test");
	expect(text(ran("c1", "failed", "npm test"), ran("c2", "failed", "make\u202E"))).toContain("2 commands failed: npm test, make⟨U+202E⟩");
	// It was run again, and then it did not fail.
	expect(text(ran("c1", "failed", "npm test"), ran("c2", "succeeded", "npm test"))).not.toContain("failed");
	expect(text(item("c1", "failed", { origin: "reported", toolId: "codex:execute", words: "rm x", code: "DENIED" }))).not.toContain(
		"command failed",
	);
});

it("a run that its time limit stopped is not said to be stopped by the user", () => {
	const cancelled = snapshot({ status: "cancelled", success: false });
	expect(shown({ status: "cancelled", stoppedAfterMs: 600_000 }, cancelled)).toContain("Stopped after 10 min");
	cleanup();
	expect(shown({ status: "cancelled", cancelRequestedAt: at(8) }, cancelled)).toContain("Stopped by you");
});

it("a run that this app did not ask to stop is not said to be stopped by the user", () => {
	const cancelled = snapshot({ status: "cancelled", success: false });
	const text = shown({ status: "cancelled" }, cancelled);
	expect(text).toMatch(/^Stopped/);
	expect(text).not.toContain("by you");
	cleanup();
	// A message that waits in the app's own queue can only be cancelled in the app.
	expect(shown({ status: "cancelled" }, undefined)).toContain("Stopped by you");
});

it("a run that was cancelled before it started has no time of its own, also if it was queued at the bridge", () => {
	const queued = snapshot({ status: "cancelled", success: false, startedAt: undefined });
	const text = shown({ status: "cancelled", cancelRequestedAt: at(8) }, queued);
	expect(text).toContain("Stopped by you");
	expect(text).toContain("Cancelled before it started.");
	expect(text).not.toContain("9 s");
	cleanup();
	const begun = shown({ status: "cancelled", cancelRequestedAt: at(8) }, snapshot({ status: "cancelled", success: false }));
	expect(begun).toContain("8 s");
	expect(begun).not.toContain("before it started");
});

/** The outcome of a run whose agent reports these calls as done. */
function reportedAs(
	...calls: readonly (readonly [kind: "edit" | "delete", words: string, contradiction: ActivityItem["contradiction"]])[]
) {
	cleanup();
	const items = calls.map(([kind, words, contradiction], at) =>
		item(`c${at}`, "succeeded", { origin: "reported", toolId: `codex:${kind}`, words, ...omitUndefined({ contradiction }) }),
	);
	return shown({ status: "completed" }, snapshot({ status: "completed", success: true, activity: activityOf(items) }));
}

it("edits whose files don't show them are named in the outcome by what was found", () => {
	const text = reportedAs(["edit", "a.txt", "untouched"], ["edit", "b.txt", "not_held"], ["edit", "c.txt", "not_found"]);
	expect(text).toContain("Reported as changed, but unchanged afterwards: a.txt");
	expect(text).toContain("Reported as edited, but the reported text wasn’t found afterwards: b.txt");
	expect(text).toContain("Reported as changed, but not found afterwards: c.txt");
});

it("a deletion whose file is still there is named in the outcome, unless a later one did delete it", () => {
	const left = ["delete", "notes.md", "still_there"] as const;
	expect(reportedAs(left)).toContain("Reported as deleted, but still there afterwards: notes.md");
	expect(reportedAs(left, ["delete", "notes.md", undefined])).not.toContain("still there");
	expect(reportedAs(left, ["edit", "notes.md", undefined])).toContain("still there");
});

it("what changed in the project folder is named beside an answer that says nothing of it, with what was deleted", () => {
	const files = [
		{ path: "a.ts", status: "modified" as const },
		{ path: "old.ts", status: "deleted" as const },
	];
	const edits = { place: "folder" as const, directory: "/p", files, total: 2 };
	const said = shown({ status: "completed" }, snapshot({ status: "completed", success: true, edits }));
	expect(said).toContain("2 files changed in the project folder during the run: a.ts, old.ts (deleted)");
});

it("a run whose agent reports an edit that did not happen is no plain success", () => {
	const edit = (contradiction: "untouched" | "not_held") =>
		item("c1", "succeeded", { origin: "reported", toolId: "codex:edit", words: "Edit other.txt", contradiction });
	const outcome = (end: ActivityItem) => {
		const snap = snapshot({ status: "completed", success: true, activity: activityOf([end]) });
		const plain = deriveOutcome({ detail: ended({ status: "completed" }, snap), view: emptyTurn, provider: "Lively" });
		if (plain === undefined) throw new Error("there is no outcome");
		return withActions(plain, snap);
	};
	expect(outcome(edit("untouched"))).toMatchObject({
		tone: "mixed",
		title: "Succeeded, but not everything that the agent reports happened.",
	});
	expect(outcome(edit("not_held")).tone).toBe("ok");
	const allowed = { ...edit("not_held"), approval: { required: true, decision: "allow_once" as const, by: "person" } };
	expect(outcome(allowed)).toMatchObject({ tone: "mixed", title: "Succeeded, but not everything that the agent reports happened." });
});

it("a failed run that did more than read is not sent again with one press, since that could do it twice", () => {
	const actions = (risk: "read" | "write") => {
		const call = item("c1", "unknown", { origin: "reported", toolId: "codex:execute", words: "send the invoice", risk });
		const snap = snapshot({ status: "failed", success: false, code: "PROVIDER_EXITED", activity: activityOf([call]) });
		const plain = deriveOutcome({ detail: ended({ status: "failed" }, snap), view: emptyTurn, provider: "Lively" });
		return plain && withActions(plain, snap).actions;
	};
	expect(actions("read")).toEqual(["retry", "doctor", "run_log"]);
	expect(actions("write")).toEqual(["ask_again", "doctor", "run_log"]);
});

it("the row of a call names the files that were looked at, and marks the agent's own title", () => {
	const row = (title: string, toolKind: "edit" | "delete", found: object) => {
		cleanup();
		const call = { toolCallId: "c1" as never, title, toolKind, state: "completed" as const, ...found };
		const { container } = render(<ToolRow item={{ kind: "tool", call, from: at(0), to: at(1) } as never} open="unknown" />);
		container.querySelector("details")?.setAttribute("open", "");
		fireEvent(container.querySelector("details") as Element, new Event("toggle"));
		return container.textContent;
	};
	const edited = row("Write report.pdf", "edit", { examined: ["tiny2.txt"], untouched: false });
	expect(edited).toMatch(/^Edited ?tiny2\.txt/);
	expect(edited).toContain("The agent calls it: Write report.pdf");
	expect(row("Delete customers.db", "delete", { examined: ["main.js"], stillThere: true })).toMatch(
		/^Says it deleted: ?main\.jsbut the file was still there/,
	);
	expect(row("Edit notes.md", "edit", { examined: ["notes.md"], untouched: false })).not.toContain("calls it");
	// A file may be called as if a verb came first.
	expect(row("Edit", "edit", { examined: ["Edit notes.md"], untouched: false })).toMatch(/^Edited ?Edit notes\.md/);
});

it("the row of a denied call names what was denied, and what the agent calls it now", () => {
	const asked = { title: "npm run lint", toolKind: "execute" };
	const renamed = { toolCallId: "c1", title: "Delete main.js", toolKind: "delete", state: "denied", unpermitted: "denied", asked };
	const { container } = render(<ToolRow item={{ kind: "tool", call: renamed, from: at(0), to: at(1) } as never} open="unknown" />);
	expect(container.textContent).toMatch(/npm run lint ?but the agent reports doing it anyway and calls it “Delete main\.js”$/);
});

it("the numbers of lines in an agent's own diff are shown as reported", () => {
	const diff = [{ path: "more.txt", newText: "hello", truncated: false }];
	const row = (origin?: "executed") => {
		cleanup();
		const call = {
			toolCallId: "c1",
			title: "more.txt",
			toolKind: "edit",
			state: "completed",
			untouched: false,
			diff,
			...(origin && { origin }),
		};
		return render(<ToolRow item={{ kind: "tool", call, from: at(0), to: at(1) } as never} open="unknown" />).container.textContent;
	};
	expect(row()).toMatch(/\+1 −0 as reported$/);
	expect(row("executed")).toMatch(/\+1 −0$/);
});

it("an agent that withdraws its plan has none", () => {
	expect(render(<AgentPlan entries={[]} live={false} />).container.textContent).toBe("");
});
