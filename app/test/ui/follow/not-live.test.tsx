import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ToolCall } from "@xworkmate/contracts";
import { ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TurnDetail } from "../../../src/api/ui-api.ts";
import { Conversation } from "../../../src/ui/conversation/conversation.tsx";
import { ThreadReader } from "../../../src/ui/follow/thread-reader.ts";
import { HomePage } from "../../../src/ui/pages/home-page.tsx";
import { AgentPlan } from "../../../src/ui/run/agent-plan.tsx";
import { RunBar } from "../../../src/ui/run/run-bar.tsx";
import { ThreadRow } from "../../../src/ui/sidebar/thread-row.tsx";
import { formatTime } from "../../../src/ui/text/format.ts";
import { openCallsOf, toolLine } from "../../../src/ui/turn/tool-line.ts";
import { emptyTurn } from "../../../src/ui/turn/turn-view.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { appState, at, BEGIN, ended, foldUpdates, stage, summary, update } from "../stories.ts";

const NO_ACTION = () => {};
const AS_OF = `as of ${formatTime(at(5))}`;
const threadId = ThreadId.parse("thread1");
const turnId = TurnId.parse("turn1");

let app: FakeApp;
const readers: ThreadReader[] = [];
beforeEach(() => {
	app = new FakeApp();
});
afterEach(() => {
	cleanup();
	for (const reader of readers.splice(0)) reader.close();
	app[Symbol.dispose]();
});

const call = (state: ToolCall["state"]) => ({ toolKind: "execute", state }) as const;

describe("a tool's row", () => {
	it.each([
		["denied", "live", "Denied:", "denied"],
		["pending", "live", "Announced:", "not reported as started, no approval requested"],
		["running", "live", "Running", "running"],
		["running", "stopped", "Stopped:", "no result"],
		["pending", "stopped", "Stopped:", "no result"],
		["running", "unknown", "Unknown:", "no result"],
		["running", "as of 08:27", "Running", "as of 08:27"],
		["completed", "stopped", "Reportedly ran", undefined],
		["denied", "unknown", "Denied:", "denied"],
	] as const)("[D5] of a call that is %s, read as %s, begins with %s", (state, open, word, meta) => {
		const line = toolLine(call(state), open);
		expect([line.word, line.state?.word]).toEqual([word, meta]);
	});

	it.each([
		["under way", {}, "live"],
		["not heard of", { lost: true }, AS_OF],
		["cancelled", { pending: false, status: "cancelled" }, "stopped"],
		["interrupted", { pending: false, status: "interrupted" }, "unknown"],
		["given up on", { pending: false, status: "unresolved" }, "unknown"],
		["over while its files are saved", { status: "completed" }, "unknown"],
	] as const)("[D5] reads open calls of a turn that is %s", (_, more, open) => {
		expect(openCallsOf({}, { pending: true, lost: false, status: "running", asOf: at(5), ...more })).toBe(open);
	});
});

const working = [
	stage(1, "working"),
	update(2, { kind: "plan", entries: [{ content: "write", state: "in_progress" }] }),
	update(3, { kind: "tool_call", toolCallId: "c", title: "make check", toolKind: "execute", state: "running" }),
	update(4, { kind: "tool_call", toolCallId: "d", title: "rm -rf build/1", toolKind: "execute", state: "denied" }),
	update(5, { kind: "tool_call", toolCallId: "e", title: "curl x", toolKind: "fetch", state: "pending" }),
];

const detailOf = (turn: Partial<TurnDetail["turn"]>): TurnDetail => {
	const { endedAt: _, ...rest } = ended({}, undefined).turn;
	return { ...ended({}, undefined), turn: { ...rest, turnId, ...turn } };
};

/** The page of one thread with one turn, of which these updates are stored. */
async function conversation(turn: Partial<TurnDetail["turn"]>, here = new InApp()) {
	const isPending = turn.status === "running";
	const thread = { ...summary("thread1", 5), sessionId: threadId, lastTaskArtifactRelativePaths: [], turns: [], deleted: false };
	app.answers.set("readThread", () => ({
		thread: isPending ? { ...thread, pendingTurnId: turnId } : thread,
		turns: [detailOf(turn)],
		folder: "/x",
		queued: [],
		queueHeld: false,
	}));
	app.answers.set("listFiles", () => ({ folder: "/x", runs: [] }));
	app.answers.set("readUpdates", ({ afterSeq }) => ({ updates: working.filter(({ seq }) => seq > Number(afterSeq)), more: false }));
	const reader = new ThreadReader(threadId);
	readers.push(reader);
	await reader.read();
	const view = render(<Conversation reader={reader} summary={undefined} openFile={NO_ACTION} openPanel={NO_ACTION} />, {
		wrapper: here.wrapper,
	});
	await until("its updates are shown", () => reader.turn(turnId).turn.value.view.seq === 5);
	return { ...view, reader, here, text: () => view.container.textContent };
}

describe("the page of a run", () => {
	it("[D5] says that a command was denied, and that one that has not begun is announced, not running", async () => {
		const { text } = await conversation({ status: "running" });
		await until("the rows are there", () => text().includes("rm -rf build/1"));
		expect(text()).toContain("Denied:rm -rf build/1");
		expect(text()).not.toContain("Ranrm -rf");
		expect(text()).toContain("Announced:curl x");
	});

	it("has one spinner, however many of its tools are at work", async () => {
		const { container, text } = await conversation({ status: "running" });
		await until("the rows are there", () => text().includes("make check"));
		await until("its stream is open", () => app.streams.length === 1);
		expect(container.querySelectorAll(".spin")).toHaveLength(1);
	});

	it.each([
		["cancelled", "Stopped:"],
		["interrupted", "Unknown:"],
	] as const)("[D5] that is %s shows no tool at work, also after a reload", async (status, word) => {
		const { container, text } = await conversation({ status });
		const summaryRow = container.querySelector<HTMLDetailsElement>("details:not(.plan)");
		if (summaryRow === null) throw new Error("there are no steps");
		act(() => {
			summaryRow.open = true;
			summaryRow.dispatchEvent(new Event("toggle"));
		});
		await until("the rows are there", () => text().includes("make check"));
		expect(text()).toContain(`${word}make check`);
		expect(text()).toContain(`${word}curl x`);
		expect(text()).toContain("Denied:rm -rf build/1");
		expect(container.querySelectorAll(".spin, .st-run")).toHaveLength(0);
	});

	it("[D4] says as of when everything was so while the bridge is away, and moves nowhere", async () => {
		const { container, text } = await conversation({ status: "running" });
		await until("its stream is open", () => app.streams.length === 1);
		app.stream?.line({ type: "connection_lost", code: "X" });
		await until("it is told", () => text().includes("Connection lost"));
		expect(text()).toContain("Connection lost. The run may still be in progress.");
		expect(text()).toContain(`Runningmake check${AS_OF}`);
		expect(text()).toContain(`Announced:curl x${AS_OF}`);
		expect(text()).toContain(`0 of 1 reported as done ${AS_OF}`);
		expect(text()).toContain(`Working ${AS_OF}`);
		expect(container.querySelectorAll(".spin, .st-run")).toHaveLength(0);
		expect(screen.getByRole("article", { name: /connection lost$/ })).toBeTruthy();
		app.stream?.line({ type: "connection_lost", code: "X", bridgeEnded: true });
		await until("the bridge's end is told", () => text().includes("The bridge stopped during this run"));
		expect(text()).not.toContain("still be running");
	});

	it("has one time for it: that of the list, in the run bar, the plan and every row", async () => {
		const threads = [summary("thread1", 5, { pendingTurnId: turnId, lastTurn: detailOf({ status: "running" }).turn, asOf: at(305) })];
		const { text } = await conversation({ status: "running" }, new InApp({ ...appState, threads }));
		await until("its stream is open", () => app.streams.length === 1);
		app.stream?.line({ type: "connection_lost", code: "X" });
		await until("it is told", () => text().includes("Connection lost"));
		const times = text().match(/as of (?:\w+ )*\d+:\d\d/g) ?? [];
		expect([times.length, new Set(times)]).toEqual([4, new Set([`as of ${formatTime(at(305))}`])]);
	});

	it("[D34] that streams again is not called lost, though the small state has not come back yet", async () => {
		const here = new InApp(appState, "gone");
		const { text } = await conversation({ status: "running" }, here);
		await until("its stream is open", () => app.streams.length === 1);
		await until("it is heard of", () => !text().includes("Connection lost"));
		act(() => app.stream?.break());
		await until("it is not heard of", () => text().includes("Connection lost"));
	});

	it("[D4] that came to an end is not called at work until its thread is read again", async () => {
		const { container, text } = await conversation({ status: "running" });
		await until("its stream is open", () => app.streams.length === 1);
		const status = update(6, { kind: "status", progress: { stage: "working" } }, { status: "interrupted" });
		app.stream?.line({ type: "update", update: status });
		await until("it is over", () => text().includes("Unknown:make check"));
		expect(container.querySelectorAll(".spin, .st-run, [data-stop]")).toHaveLength(0);
		expect(screen.getByRole("article", { name: /, interrupted$/ })).toBeTruthy();
	});

	it("[D4] is not heard of when a keeper sees that the bridge hangs, though its stream is open", async () => {
		const here = new InApp({ ...appState, bridge: { ...appState.bridge, trouble: { what: "silent", own: true } } });
		const { text } = await conversation({ status: "running" }, here);
		await until("its stream is open", () => app.streams.length === 1);
		expect(text()).toContain("Connection lost. The run may still be in progress.");
	});

	it("[D4] is not called a lost connection by its bar when the page knows that the bridge is gone", async () => {
		const here = new InApp({ ...appState, bridge: { ...appState.bridge, trouble: { what: "ended", own: true } } });
		const { text } = await conversation({ status: "running" }, here);
		await until("its stream is open", () => app.streams.length === 1);
		expect(text()).toContain("The bridge stopped during this run");
		expect(text()).not.toContain("still be running");
	});
});

const bar = { createdAt: at(0), now: BEGIN + 5_400, away: false, gateway: false, stop: NO_ACTION, tryNow: NO_ACTION };

describe("the run bar", () => {
	it("says that it was updated just now instead of 0 s ago", () => {
		const { container } = render(<RunBar {...bar} view={foldUpdates(emptyTurn, [stage(1, "working", 5)])} />);
		expect(container.textContent).toContain("Updated just now");
	});

	it("[D34] never says that the last news came 0.0 s ago", () => {
		const { container } = render(<RunBar {...bar} view={foldUpdates(emptyTurn, [stage(1, "working", 5)])} away />);
		expect(container.textContent).toContain("The run’s last update was just now.");
	});

	it("says why a run waits", () => {
		const queued = foldUpdates(emptyTurn, [
			update(1, { kind: "status", progress: { stage: "queued", queuePosition: 2, queueLength: 3 } }, { status: "queued" }),
		]);
		const { container } = render(<RunBar {...bar} view={queued} places={{ runs: 4, asking: 0 }} />);
		expect(container.textContent).toContain("4 runs active");
	});

	it("[D4] says of a message in the app's own queue that it waits, whatever the bridge does, and never that it is being sent", async () => {
		const here = new InApp({ ...appState, bridge: { ...appState.bridge, trouble: { what: "ended", own: true } } });
		const { text } = await conversation({ status: "running" }, here);
		await until("its stream is open", () => app.streams.length === 1);
		app.stream?.line({ type: "gatewayQueue", position: 1, length: 2 });
		await until("its place is shown", () => text().includes("Queued 1 of 2"));
		expect(text()).not.toContain("Connection lost");
		act(() => here.link.set("gone"));
		act(() => app.stream?.break());
		await until("it is not heard of", () => text().includes("Connection lost. This message was still queued."));
	});
});

describe("a row", () => {
	const last = (status: TurnDetail["turn"]["status"]) => ({ pendingTurnId: turnId, lastTurn: detailOf({ status }).turn });

	it("[D4] of a run that is not heard of says as of when, and does not move", () => {
		const thread = summary("thread1", 5, { ...last("running"), asOf: at(5) });
		const { container } = render(<ThreadRow isStop thread={thread} state="running" />, { wrapper: new InApp().wrapper });
		expect(container.textContent).toContain(`Running ${AS_OF}`);
		expect(container.querySelector(".spin, .st-run")).toBeNull();
	});

	it("[D4] of a run says as of when the app was last heard of while the app is away", () => {
		const here = new InApp(appState, "gone");
		here.heardAt = at(5);
		const { container } = render(<ThreadRow isStop thread={summary("thread1", 5, last("running"))} state="running" />, {
			wrapper: here.wrapper,
		});
		expect(container.textContent).toContain(`Running ${AS_OF}`);
	});

	it("of a run that is over is as it was, whoever is away", () => {
		const here = new InApp(appState, "gone");
		here.heardAt = at(5);
		const { container } = render(<ThreadRow isStop thread={summary("thread1", 5, last("failed"))} state="failed" />, {
			wrapper: here.wrapper,
		});
		expect(container.textContent).not.toContain("as of");
	});

	it("[D4] heads runs that are not heard of as last seen", () => {
		const threads = [summary("thread1", 5, last("running"))];
		const here = new InApp({ ...appState, threads }, "gone");
		here.heardAt = at(5);
		render(<HomePage />, { wrapper: here.wrapper });
		expect(screen.getByRole("region", { name: "Last seen running" })).toBeTruthy();
	});

	it("[D3] has a Stop that says that it has not been sent, not that the run is stopping, while the app is away", async () => {
		app.isThere = false;
		const threads = [summary("thread1", 5, last("running"))];
		render(<HomePage />, { wrapper: new InApp({ ...appState, threads }, "gone").wrapper });
		fireEvent.click(screen.getByRole("button", { name: "Stop" }));
		const button = await screen.findByRole("button", { name: "Stop not sent yet" });
		expect(button).toHaveProperty("disabled", true);
		localStorage.clear();
	});
});

describe("a plan", () => {
	it("[D4] of a run that is not heard of says as of when it was so", () => {
		render(<AgentPlan entries={[{ content: "write", state: "in_progress" }]} live asOf={at(5)} />);
		expect(screen.getByText(`0 of 1 reported as done ${AS_OF}`)).toBeTruthy();
	});
});
