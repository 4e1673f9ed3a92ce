import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { type ActivityItem, deriveActivity, RunId } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ActivityBlock } from "../../../src/ui/activity/activity-block.tsx";
import { setPreferences } from "../../../src/ui/state/preferences.ts";
import { formatTime } from "../../../src/ui/text/format.ts";
import { activitySoFar, type LiveRun } from "../../../src/ui/turn/activity-so-far.ts";
import { activityView } from "../../../src/ui/turn/activity-view.ts";
import { activityOf, item, mixedActivity, reportedActivity, trailOf } from "../action-stories.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { at, summary } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	setPreferences({ singleKeys: true });
});

const { threadId } = summary("thread1", 0);
const show = (activity: typeof mixedActivity, live?: LiveRun) =>
	render(<ActivityBlock activity={activity} threadId={threadId} provider="Codex" {...(live && { live })} />, {
		wrapper: new InApp().wrapper,
	}).container;
const live: LiveRun = { asked: new Set(["call-1"]), started: new Set(["call-2"]) };

describe("what a run did", () => {
	it("says of each call its tool, its state in a word, who decided, when, and its receipt", () => {
		const rows = within(show(mixedActivity)).getAllByRole("listitem");
		expect(rows.map((row) => row.querySelector(".st")?.textContent)).toEqual(["Done", "Not done", "Not done", "Unknown"]);
		const [done, denied, failed, unknown] = rows.map(({ textContent }) => textContent ?? "");
		for (const said of ["calendar.events.create", "Write", "Allowed by you with a 15-minute permission", "Receipt 4"])
			expect(done).toContain(said);
		expect(denied).toContain("Denied by you");
		expect(failed).toContain("Failed: PostHog returned 403");
		expect(unknown).toContain("Outcome unknown, won’t be repeated");
		expect(screen.getByRole("heading").textContent).toBe("1 action completed");
		expect(screen.getByText("2 not done, 1 unknown")).toBeDefined();
	});

	it("leads from a call that made a plan to the plan, as soon as it is made", () => {
		const made = { toolId: "xworkmate.plan.create", words: "Create the plan" };
		const preview = { text: '{"planId":"plan-7","title":"Call mom"}', truncated: false };
		const receipts = trailOf("call-1", 1, made).map((receipt) =>
			receipt.type === "tool.call.succeeded" ? { ...receipt, outcome: { attempt: 1, durationMs: 5, preview } } : receipt,
		);
		const open = activitySoFar(receipts.slice(0, 3));
		expect(open?.items[0]).not.toHaveProperty("planId");
		for (const activity of [activitySoFar(receipts), deriveActivity(RunId.parse("run1"), receipts)]) {
			if (activity === undefined) throw new Error("there is an activity");
			show(activity);
			expect(screen.getByRole("link", { name: "Open the plan" }).getAttribute("href")).toBe("#/plans/plan-7");
			cleanup();
		}
	});

	it("says that nothing was completed, and counts no row of a list that was cut", () => {
		expect(activityView(activityOf([item("call-1", "denied")]))).toMatchObject({
			title: "0 actions completed",
			notes: ["1 not done"],
		});
		expect(activityView(activityOf([], { completed: 0 }), live).title).toBe("0 actions completed so far");
		// What a program did with built-in tools has no receipts, so a call that waits is not headed by a zero.
		const waiting = activityOf([item("call-1", "pending")], { completed: 0 });
		expect(activityView(waiting, live)).toMatchObject({ title: "Actions so far", notes: ["1 waiting"] });
		const cut = activityOf([item("call-1", "failed")], { completed: 312, truncated: true });
		expect(activityView(cut)).toMatchObject({ title: "312 actions completed", notes: ["1 shown"] });
	});

	it("says that a call waits only if its request is open, and as of when if the run is not heard of", () => {
		const open = activityOf(["call-1", "call-2", "call-3"].map((call) => item(call, "pending")));
		const said = (container: HTMLElement) =>
			[...container.querySelectorAll(".act-head h3, .act-head .muted, .st")].map((one) => one.textContent);
		const counts = "1 waiting, 1 running, 1 without a result yet";
		expect(said(show(open, live))).toEqual(["Actions so far", counts, "Waiting", "Running", "No result yet"]);
		const asOf = `as of ${formatTime(at(5))}`;
		const lost = show(open, { ...live, asOf: at(5) });
		const words = [`Waiting ${asOf}`, `Running ${asOf}`, `No result yet ${asOf}`];
		expect(said(lost)).toEqual([`Actions so far ${asOf}`, counts, ...words]);
		expect(lost.querySelector(".st-run, .st-need")).toBeNull();
		expect(said(show(open))).toEqual(["0 actions completed", "3 unknown", "Unknown", "Unknown", "Unknown"]);
	});

	it("never says Done, nor anything in green, of what an agent reports, and keeps it apart", () => {
		const container = show(reportedActivity);
		expect(container.querySelector("summary")?.textContent).toBe("0 actions completed by XWorkmate. Reported by Codex: 3 calls");
		const fold = container.querySelector("details");
		if (fold === null) throw new Error("reports are folded");
		fold.open = true;
		fireEvent(fold, new Event("toggle"));
		expect([...fold.querySelectorAll(".st")].map(({ textContent }) => textContent)).toEqual([
			"Reported as done",
			"Reported as failed",
			"Unknown",
		]);
		expect(container.querySelector(".st-ok")).toBeNull();
		expect(fold.textContent).toContain("how its requests were answered. It can’t prove what Codex did");
	});

	it("counts the reads that an agent reports beside what it lists of them", () => {
		const { counts, ...rest } = reportedActivity;
		const container = show({ ...rest, counts: { ...counts, reported: 4 } });
		expect(container.querySelector("summary")?.textContent).toBe(
			"0 actions completed by XWorkmate. Reported by Codex: 3 calls, and 1 that only reads",
		);
		const fold = container.querySelector("details");
		if (fold === null) throw new Error("reports are folded");
		fold.open = true;
		fireEvent(fold, new Event("toggle"));
		expect(fold.textContent).toContain("1 successful call that only reads isn’t listed.");
	});

	it("counts a read that failed with the reads, unless it was decided about", () => {
		const read = { origin: "reported", toolId: "codex:read", risk: "read" } as const;
		const denied = item("r-2", "denied", { ...read, approval: { required: true, decision: "deny", by: "person" }, code: "person" });
		const head = (...items: readonly ActivityItem[]) => {
			const { textContent } = show(activityOf(items)).querySelector("summary") ?? {};
			cleanup();
			return textContent?.split("Codex: ")[1];
		};
		expect([head(item("r-1", "failed", read), denied), head(item("r-1", "failed", read))]).toEqual([
			"1 call, and 1 that only reads",
			"1 call that only reads",
		]);
	});

	it("counts every call that an agent reports, also those of a list that was cut, and says where they are", () => {
		const container = show({ ...reportedActivity, counts: { ...reportedActivity.counts, reported: 450 }, truncated: true });
		expect(container.querySelector("summary")?.textContent).toBe("0 actions completed by XWorkmate. Reported by Codex: 450 calls");
		const fold = container.querySelector("details");
		if (fold === null) throw new Error("reports are folded");
		fold.open = true;
		fireEvent(fold, new Event("toggle"));
		expect(fold.textContent).toContain("And 447 more: All receipts");
		const { href } = within(fold).getByRole<HTMLAnchorElement>("link", { name: "All receipts" });
		expect(href).toContain(reportedActivity.runId);
		expect(href).toContain("origin=reported");
	});

	it("counts the calls that an agent reports even if none of them is listed", () => {
		const counts = { ...mixedActivity.counts, reported: 7 };
		const container = show({ ...mixedActivity, counts, truncated: true });
		expect(container.querySelectorAll("summary")[1]?.textContent).toBe("Reported by Codex: 7 calls");
	});

	it("names what an agent reports against a denial, in red", () => {
		const container = show(activityOf([item("tool-1", "succeeded", { origin: "reported", toolId: "evil:edit", unpermitted: "denied" })]));
		const fold = container.querySelector("details");
		if (fold === null) throw new Error("reports are folded");
		fold.open = true;
		fireEvent(fold, new Event("toggle"));
		expect(fold.querySelector(".st-bad")?.textContent).toBe("Denied, but reported anyway");
		expect(fold.textContent).toContain("but the agent reports doing it anyway");
	});

	it("folds the reads into one row, and says nothing for a run without calls of ours", () => {
		const view = activityView(mixedActivity);
		expect([view.executed.length, view.reads.length, view.reported.length]).toEqual([4, 1, 0]);
		show(mixedActivity);
		expect(screen.getByText("1 call that read data")).toBeDefined();
	});

	it("writes out what a tool's words hide", () => {
		const text = show(activityOf([item("call-1", "succeeded", { words: "Pay \u202Eeno\u202C" })])).textContent;
		expect(text).toContain("Pay ⟨U+202E⟩eno⟨U+202C⟩");
	});

	it("opens a call's receipts in place by press and by R, moves with the arrows, and offers to try again", async () => {
		let isDown = true;
		fakeApp({ receipt: () => (isDown ? undefined : { receipt: trailOf("call-1", 1)[3], trail: trailOf("call-1", 1) }) });
		show(mixedActivity);
		const [first, second] = screen.getAllByRole("button", { name: /^Receipt 4 of: / });
		if (first === undefined || second === undefined) throw new Error("each row has a button");
		first.focus();
		fireEvent.keyDown(first, { key: "ArrowDown" });
		expect(document.activeElement).toBe(second);
		fireEvent.keyDown(second, { key: "ArrowUp" });
		fireEvent.keyDown(first, { key: "r" });
		expect(first.getAttribute("aria-expanded")).toBe("true");
		const again = await screen.findByRole("button", { name: "Try again" });
		isDown = false;
		fireEvent.click(again);
		await screen.findByText("Requested");
		const steps = within(screen.getByRole("region", { name: "Receipts of this call" })).getAllByRole("listitem");
		expect(steps.map((step) => step.querySelector("b")?.textContent)).toEqual(["Requested", "Allowed once by you", "Started", "Succeeded"]);
		act(() => setPreferences({ singleKeys: false }));
		fireEvent.keyDown(first, { key: "r" });
		expect(first.getAttribute("aria-expanded")).toBe("true");
	});
});
