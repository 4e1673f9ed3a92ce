import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { PlanUpdate } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import PlanPage from "../../../src/ui/plan/plan-page.tsx";
import { lane, logOfUpdates } from "../../../src/ui/plan-log/log-of-updates.ts";
import PlanLogPage from "../../../src/ui/plan-log/plan-log-page.tsx";
import { meaningOf } from "../../../src/ui/plans/meaning-of.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { AT, action, occurrence, plan } from "../plan-stories.ts";
import { appState, summary } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const one = occurrence({ status: "due", delivery: [], revision: 1 });
const begun = occurrence({ status: "running", delivery: [], runs: [{ threadId: "plan-p1", turnId: "t1" }], revision: 2 });
const sent = (change: object) => ({ kind: "task:delivery", occurrence: one, action: action({ code: undefined, ...change }) });
const bodies = [
	{ kind: "task:created", plan: plan() },
	{ kind: "task:occurrence", occurrence: one },
	{ kind: "task:occurrence", occurrence: begun, turnId: "t1", threadId: "plan-p1" },
	{ kind: "task:occurrence", occurrence: begun, turnId: "t1", threadId: "plan-p1", runId: "r1" },
	{
		kind: "task:result",
		occurrence: occurrence({ delivery: [action({ status: "pending", code: undefined })] }),
		output: "",
		work: [],
		gate: { valid: true },
	},
	sent({ status: "sending", stage: "claimed", attempts: 1 }),
	sent({ status: "sending", stage: "handing_over", attempts: 1 }),
	sent({ status: "completed", stage: "accepted", proof: "delivered" }),
	sent({ status: "completed", proof: "delivered", later: [{ at: AT, message: "131026: undeliverable" }] }),
	{ kind: "task:review", occurrence: one, action: action() },
];
const updates = bodies.map((update, index) =>
	PlanUpdate.parse({ planId: "p1", seq: index + 1, feedSeq: index + 1, at: AT, status: "running", update }),
);

it("tells in lanes who did what, and news after the end as a problem", () => {
	const told = logOfUpdates(updates).map(({ title, from, to }) => [title, from, to ?? from]);
	expect(told).toEqual([
		["Created", lane.you, lane.plan],
		["Due", lane.plan, lane.plan],
		["Starting the work", lane.plan, lane.plan],
		["Run started", lane.plan, lane.agent],
		["Message found", lane.agent, lane.plan],
		["Sending", lane.plan, lane.channel],
		["Handing over", lane.plan, lane.channel],
		["Delivered", lane.channel, lane.plan],
		["Later updates", lane.channel, lane.plan],
		["Waiting for you", lane.plan, lane.you],
	]);
});

it("tells that a message that failed may have been sent since the backup that was restored, not that it failed once more", () => {
	const update = sent({ status: "failed", code: "RECIPIENT_REFUSED", mayHaveBeenSent: true });
	const told = logOfUpdates([PlanUpdate.parse({ planId: "p1", seq: 1, feedSeq: 1, at: AT, status: "failed", update })]);
	expect(told).toMatchObject([{ title: "May have been sent", from: lane.plan, to: lane.you, tone: "warn" }]);
});

it("tells what the end of the work holds, and an outcome that is not known, as problems and not as decisions", () => {
	const unknown = action({ status: "unknown", code: "NO_ANSWER", attempts: 1 });
	const told = [
		{ kind: "task:result", occurrence: occurrence(), output: "", work: [], gate: { valid: true } },
		{ kind: "task:review", occurrence: occurrence({ delivery: [unknown] }), action: unknown },
	].map((update, index) => PlanUpdate.parse({ planId: "p1", seq: index + 1, feedSeq: index + 1, at: AT, status: "running", update }));
	expect(logOfUpdates(told).map(({ title, from, to, say }) => [title, from, to, say])).toEqual([
		["Message found", lane.agent, lane.plan, "35 characters"],
		["Waiting for you", lane.plan, lane.you, "Email: The message says something was done, but nothing confirms it"],
		["Outcome unknown", lane.plan, lane.you, expect.stringContaining("Email")],
	]);
});

it("says that XWorkmate paused a plan and why, unless the user did", () => {
	const told = (change: object) =>
		logOfUpdates(
			[
				{ kind: "task:created", plan: plan() },
				{ kind: "task:changed", plan: plan({ status: "paused", ...change }) },
			].map((update, index) => PlanUpdate.parse({ planId: "p1", seq: index + 1, feedSeq: index + 1, at: AT, status: "paused", update })),
		).slice(1);
	expect(told({ pausedFor: "STORE_RESTORED" })).toMatchObject([
		{ title: "Paused", from: lane.plan, to: lane.you, say: "The data folder was restored from a backup." },
	]);
	expect(told({})).toMatchObject([{ title: "Paused", from: lane.you, to: lane.plan }]);
});

it("says of a due time that was skipped that it was, and why", () => {
	const delivery = [action({ status: "failed", code: "CANCELLED" })];
	const skipped = occurrence({ status: "skipped", code: "OVERLAP", delivery, runs: [], revision: 1 });
	const update = { kind: "task:occurrence", occurrence: skipped };
	const told = logOfUpdates([PlanUpdate.parse({ planId: "p1", seq: 1, feedSeq: 1, at: AT, status: "running", update })]);
	expect(told.map(({ title, say }) => [title, say])).toEqual([
		["Due", "Skipped. This plan’s earlier work or messages hadn’t been completed."],
	]);
});

it("shows the newest first, and problems alone", async () => {
	fakeApp({ plan: plan({ lastSeq: 10 }), planUpdates: { items: updates } });
	render(<PlanLogPage planId="p1" />, { wrapper: new InApp().wrapper });
	const items = await screen.findAllByRole("listitem");
	expect(items[0]?.textContent).toContain("Waiting for you");
	expect(items).toHaveLength(10);
	fireEvent.click(screen.getByRole("button", { name: "Problems 2" }));
	expect(
		screen
			.getAllByRole("listitem")
			.map(({ textContent }) => textContent)
			.join(),
	).toContain("131026: undeliverable");
	expect(screen.getAllByRole("listitem")).toHaveLength(2);
});

it("shows each of two messages that are held at once in the same words", async () => {
	const held = occurrence({ delivery: [action(), action({ actionId: "p1-1-2", recipient: "ben" })] });
	const result = { kind: "task:result", occurrence: held, output: "", work: [], gate: { valid: true } };
	const items = [PlanUpdate.parse({ planId: "p1", seq: 1, feedSeq: 1, at: AT, status: "running", update: result })];
	fakeApp({ plan: plan({ lastSeq: 1 }), planUpdates: { items } });
	const complaints = vi.spyOn(console, "error").mockImplementation(() => undefined);
	render(<PlanLogPage planId="p1" />, { wrapper: new InApp().wrapper });
	fireEvent.click(await screen.findByRole("button", { name: "Problems 2" }));
	expect(screen.getAllByRole("listitem")).toHaveLength(2);
	expect(complaints).not.toHaveBeenCalled();
	complaints.mockRestore();
});

it("blames the agent that did the work, not the one that the plan has now, and none if it is not known", async () => {
	const declined = occurrence({ delivery: [action({ code: "GATE_DECLINED" })], deliverable: undefined });
	const now = plan({ occurrence: declined, routing: { executionTarget: "agent", providerId: "claude" } });
	fakeApp({ plan: now, planOccurrences: { items: [declined] }, channels: { channels: [] }, contacts: { contacts: [] } });
	const threads = (turnId: string) => [summary("plan-p1", 0, { providerId: "codex", lastTurn: { turnId, status: "completed" } as never })];
	const open = async (turnId: string, said: string) => {
		render(<PlanPage planId="p1" hasHistory={false} />, { wrapper: new InApp({ ...appState, threads: threads(turnId) }).wrapper });
		await screen.findByText(`${said} declined to write this message. If it gave a reason, it is in the plan’s thread.`);
		cleanup();
	};
	await open("p1-1-1", "codex");
	await open("p1-2-1", "The agent");
});

it("says in the page's words why an agent declined, never in the gate's", () => {
	const said = meaningOf({ code: "GATE_DECLINED", message: "Brain declined to produce deliverable", channel: "email" }, "Codex");
	expect(said).toContain("Codex declined to write this message");
	const until = "The recipient has written to you, so you can write to them until 2026-11-28T09:30:00.000Z.";
	expect(meaningOf({ code: "WINDOW_CLOSED", message: until, channel: "whatsapp" }, "Codex")).not.toContain("Z.");
	const large = meaningOf({ code: "GATE_TOO_LARGE", message: "Deliverable too large", channel: "email" }, "Codex");
	expect(large).toBe("The limit for a message is 262 kB.");
	expect(meaningOf({ code: "NO_ANSWER", message: "The connection broke.", channel: "email" }, "Codex")).toBe("The connection broke.");
});
