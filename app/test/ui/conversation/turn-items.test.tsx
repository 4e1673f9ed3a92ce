import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { ToolCallId } from "@xworkmate/contracts";
import { afterEach, describe, expect, it } from "vitest";
import { TurnItems } from "../../../src/ui/conversation/turn-items.tsx";
import { emptyTurn, foldEvents, type TurnItem } from "../../../src/ui/turn/turn-view.ts";
import { receipt, typedCall } from "../action-stories.ts";
import { InApp } from "../in-app.tsx";
import { approval, at, update } from "../stories.ts";

afterEach(cleanup);

let reads: string[] = [];

/** A call that records when its row is rendered. */
function call(n: number, state: "completed" | "running"): TurnItem {
	const title = `look at file ${n}`;
	const seen = { toolCallId: `${n}`, toolKind: "read" as const, state };
	const of = Object.defineProperty({ ...seen, title }, "title", {
		enumerable: true,
		get: () => {
			reads.push(title);
			return title;
		},
	});
	return { kind: "tool", key: `c:${n}`, call: of, from: at(0), to: at(1) };
}

const rest = { folded: false, provider: "Codex", read: () => undefined };

it("renders the end of a long run without its finished steps: only a call without an end is shown another way", async () => {
	const items = [...Array.from({ length: 700 }, (_, n) => call(n, "completed")), call(700, "running")];
	const here = new InApp();
	const view = { ...emptyTurn, items };
	const { rerender } = render(<TurnItems view={view} live open="live" {...rest} />, { wrapper: here.wrapper });
	await expect.poll(() => document.querySelectorAll("details").length, { timeout: 9_000 }).toBe(701);
	expect(screen.getByText("running")).toBeTruthy();
	reads = [];
	rerender(<TurnItems view={{ ...view }} live={false} open="unknown" {...rest} />);
	expect(screen.getByText("no result")).toBeTruthy();
	expect(new Set(reads)).toEqual(new Set(["look at file 700"]));
});

it("renders a new step of a long run without the steps before it", async () => {
	const items = Array.from({ length: 700 }, (_, n) => call(n, "completed"));
	const here = new InApp();
	const { rerender } = render(<TurnItems view={{ ...emptyTurn, items }} live open="live" {...rest} />, { wrapper: here.wrapper });
	await expect.poll(() => document.querySelectorAll("details").length, { timeout: 9_000 }).toBe(700);
	reads = [];
	rerender(<TurnItems view={{ ...emptyTurn, items: [...items, call(700, "running")] }} live open="live" {...rest} />);
	expect(new Set(reads)).toEqual(new Set(["look at file 700"]));
});

const eventOf = (n: number, body: object) => ({ type: "update", update: update(n, body) }) as const;

it.each([
	["the request first", true],
	["the call first", false],
])("names a typed call once while its request is open, and by the same name afterwards: %s", (_, isRequestFirst) => {
	const request = (n: number, record: object) => eventOf(n, { kind: "approval", ...typedCall({ toolCallId: "call-1", ...record }) });
	const call = (n: number, state: string) =>
		eventOf(n, {
			...{ kind: "tool_call", toolCallId: "call-1", title: "calendar.deleteEvent", toolKind: "delete", state },
			...{ toolId: "calendar.events.delete", risk: "destructive", origin: "executed" },
		});
	const begun = isRequestFirst ? [request(1, {}), call(2, "pending")] : [call(1, "pending"), request(2, {})];
	const of = (...more: readonly ReturnType<typeof call>[]) => foldEvents(emptyTurn, [...begun, ...more]);
	const { rerender, container } = render(<TurnItems view={of()} live open="live" {...rest} />, { wrapper: new InApp().wrapper });
	expect(container.querySelectorAll("[data-approval]")).toHaveLength(1);
	expect(container.querySelector("details.act")).toBeNull();
	const decided = { state: "decided", decision: "deny", decidedBy: "person", decidedAt: at(9), reason: "person" };
	rerender(<TurnItems view={of(request(3, decided), call(4, "denied"))} live open="live" {...rest} />);
	expect(container.querySelector("details.act")?.textContent).toBe("Blocked:calendar.events.deletedenied");
});

it("says of a call whose outcome nobody knows neither that it was done nor that it failed", () => {
	const call = {
		kind: "tool_call",
		toolCallId: "call-1",
		title: "demo.slow",
		toolKind: "edit",
		toolId: "demo.thing.slow",
		origin: "executed",
	};
	const of = { toolCallId: "call-1", outcome: { code: "OUTCOME_UNKNOWN", attempt: 1, durationMs: 0 } };
	const view = foldEvents(emptyTurn, [
		eventOf(1, { ...call, state: "running" }),
		eventOf(2, { kind: "receipt", ...receipt(1, "unknown", of) }),
		eventOf(3, { ...call, state: "failed" }),
	]);
	const { container } = render(<TurnItems view={view} live open="live" {...rest} />, { wrapper: new InApp().wrapper });
	expect(container.querySelector("details.act")?.textContent).toBe("Unknown:demo.thing.slowno result");
});

const switched = receipt(1, "auth.profile.rotated", {
	...{ toolCallId: undefined, toolId: undefined, risk: undefined },
	detail: { from: "anthropic:work", to: "anthropic:home", reason: "x", cause: "billing" },
});

it.each([false, true])("says in the thread that the run switched its account, also when its steps are folded: %s", (folded) => {
	const view = foldEvents(emptyTurn, [
		eventOf(1, { kind: "thought_delta", messageId: "t1", text: "Let me see." }),
		eventOf(2, { kind: "receipt", ...switched }),
		eventOf(3, { kind: "message_delta", messageId: "m1", text: "Hello." }),
	]);
	const { container } = render(<TurnItems view={view} live={false} open="live" {...rest} folded={folded} />, {
		wrapper: new InApp().wrapper,
	});
	expect([...container.querySelectorAll("p.said")].map((line) => line.textContent)).toEqual([
		"Switched from account anthropic:work to account anthropic:home: the first one is out of credit ",
	]);
});

it("shows thoughts that follow each other as one, and no time of one that took none", () => {
	const thought = (n: number, messageId: string, text: string, seconds: number) => ({
		type: "update" as const,
		update: update(n, { kind: "thought_delta", messageId, text }, { seconds }),
	});
	const view = foldEvents(emptyTurn, [
		thought(1, "t1", "First.", 1),
		thought(2, "t2", "Second.", 1),
		eventOf(3, { kind: "tool_call", toolCallId: "c1", title: "Look", toolKind: "read", state: "completed" }),
		thought(4, "t3", "Third.", 5),
		thought(5, "t4", "Fourth.", 8),
	]);
	const { container } = render(<TurnItems view={view} live={false} open="live" {...rest} />, { wrapper: new InApp().wrapper });
	expect([...container.querySelectorAll("details.act")].map((row) => row.textContent)).toEqual([
		"Thought",
		"Reportedly readLook",
		"Thought3 s",
	]);
});

it("folds what followed the answer below it, in the order of the log", () => {
	const call = (toolCallId: string) => ({ kind: "tool_call", toolCallId, title: toolCallId, toolKind: "read", state: "completed" });
	const view = foldEvents(emptyTurn, [
		eventOf(1, call("c1")),
		eventOf(2, { kind: "message_delta", messageId: "m1", text: "I deploy it now." }),
		eventOf(3, call("c2")),
		eventOf(4, { kind: "approval", ...approval({ state: "withdrawn", reason: "run_ended" }) }),
	]);
	const { container } = render(<TurnItems view={view} live={false} open="unknown" {...rest} folded />, { wrapper: new InApp().wrapper });
	expect(container.textContent).toMatch(/^1 step.*I deploy it now\..*1 step/s);
	expect(container.textContent?.match(/1 step/g)).toHaveLength(2);
});

it("shows a command in its row, and no kind that its agent gives to hide it", () => {
	const input = { text: JSON.stringify({ command: "rm -rf /home" }), truncated: false };
	const call = { toolCallId: "c1", title: "Read a file", toolKind: "read", state: "completed", origin: "reported", input } as const;
	const items: TurnItem[] = [{ kind: "tool", key: "c:1", call, from: at(0), to: at(0) }];
	const { container } = render(<TurnItems view={{ ...emptyTurn, items }} live open="live" {...rest} />, { wrapper: new InApp().wrapper });
	expect(container.querySelector("details.act")?.textContent).toContain("Reportedly ranrm -rf /home");
});

describe("a call whose agent says something else of it after it has asked", () => {
	const call = (n: number, command: string, state: string, more: object = {}) =>
		eventOf(n, {
			...{ kind: "tool_call", toolCallId: "call-1", title: command, toolKind: "execute", state },
			...{ input: { text: JSON.stringify({ command }), truncated: false }, ...more },
		});
	const asks = (n: number, more: object = {}) =>
		eventOf(n, { kind: "approval", ...approval({ toolCallId: ToolCallId.parse("call-1"), ...more }) });
	const asked = [call(1, "ls", "pending"), asks(2), call(3, "rm -rf stuff", "pending")];
	const row = (...more: readonly ReturnType<typeof call>[]) => {
		cleanup();
		const view = foldEvents(emptyTurn, [...asked, ...more]);
		const { container } = render(<TurnItems view={view} live open="live" {...rest} />, { wrapper: new InApp().wrapper });
		return container.querySelector("details.act");
	};
	const decided = (decision: string) => asks(4, { state: "decided", decision, decidedBy: "person", decidedAt: at(4) });

	it("is named by what it asked while the request waits, and says that it was changed, and to what", () => {
		const shown = row();
		expect(shown?.querySelector("summary")?.textContent).toBe(
			"Wants to runlswaiting, but the agent has changed this call since it asked, to “rm -rf stuff”",
		);
		fireEvent.click(shown?.querySelector("summary") ?? document.body);
		expect(shown?.querySelector(".tool-body p")?.textContent).toMatch(/ the original call\. The agent now reports: rm -rf stuff$/);
	});

	it("is named by what was denied, and by what the agent reports once it was allowed", () => {
		expect(row(decided("deny"), call(5, "rm -rf stuff", "denied"))?.textContent).toBe("Denied:lsdenied");
		expect(row(decided("allow_once"), call(5, "rm -rf stuff", "running"))?.textContent).toBe(
			"Runningrm -rf stuffrunning, but the agent has changed this call since it asked",
		);
		const swapped = { unpermitted: "another", swapped: { allowed: "ls", reported: "rm -rf stuff" } };
		expect(row(decided("allow_once"), call(5, "rm -rf stuff", "completed", swapped))?.textContent).toContain("but not as allowed");
	});

	it("says nothing of a change if the agent only repeats itself", () => {
		cleanup();
		const view = foldEvents(emptyTurn, [call(1, "ls", "pending"), asks(2), call(3, "ls", "pending")]);
		const { container } = render(<TurnItems view={view} live open="live" {...rest} />, { wrapper: new InApp().wrapper });
		expect(container.querySelector("details.act")?.textContent).toBe("Wants to runlswaiting");
	});
});
