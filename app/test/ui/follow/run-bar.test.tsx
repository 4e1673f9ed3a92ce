import { act, cleanup, render, screen } from "@testing-library/react";
import { ThreadId, type Timestamp, TurnId } from "@xworkmate/contracts";
import { afterEach, expect, it } from "vitest";
import type { TurnDetail } from "../../../src/api/ui-api.ts";
import { Conversation } from "../../../src/ui/conversation/conversation.tsx";
import { ThreadReader } from "../../../src/ui/follow/thread-reader.ts";
import { request } from "../../../src/ui/keys/keys.ts";
import { HomePage } from "../../../src/ui/pages/home-page.tsx";
import { ThreadPage } from "../../../src/ui/pages/thread-page.tsx";
import { RunBar } from "../../../src/ui/run/run-bar.tsx";
import { emptyTurn, foldEvents } from "../../../src/ui/turn/turn-view.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { appState, at, BEGIN, ended, foldUpdates, stage, summary, update } from "../stories.ts";

afterEach(cleanup);
const NO_ACTION = () => {};
const threadId = ThreadId.parse("thread1");
const turnId = TurnId.parse("turn1");

it("says that the disk is full, and not that the connection is lost, when the run's updates can't be saved", () => {
	const bar = { createdAt: at(0), now: BEGIN + 20_000, away: true, gateway: false, stop: NO_ACTION, tryNow: NO_ACTION };
	const full = { ...foldUpdates(emptyTurn, [stage(1, "working")]), lost: { code: "DISK_FULL" } };
	const { container, rerender } = render(<RunBar {...bar} view={full} />);
	expect(container.textContent).toContain("The disk is full, so this run’s progress can’t be saved");
	expect(container.textContent).not.toContain("Connection lost");
	rerender(<RunBar {...bar} view={{ ...emptyTurn, lost: { code: "DISK_FULL" } }} />);
	expect(container.textContent).toContain("XWorkmate can’t tell whether your message arrived");
	expect(container.textContent).not.toContain("will be sent");
});

it("says that XWorkmate can't save, and not that the connection is lost, when the app itself fails", () => {
	const bar = { createdAt: at(0), now: BEGIN + 20_000, away: true, gateway: false, stop: NO_ACTION, tryNow: NO_ACTION };
	const lost = { type: "connection_lost", code: "SQLITE_IOERR", local: true } as const;
	const works = foldEvents(foldUpdates(emptyTurn, [stage(1, "working")]), [lost]);
	const { container, rerender } = render(<RunBar {...bar} view={works} cancelRequestedAt={at(16)} />);
	expect(container.textContent).toContain("XWorkmate can’t save this run’s progress");
	expect(container.textContent).toContain(
		"Stop requested 4 s ago. It isn’t confirmed, because XWorkmate can’t save what the bridge reports.",
	);
	expect(container.textContent).not.toMatch(/[Cc]onnection|reach/);
	rerender(<RunBar {...bar} view={foldEvents(emptyTurn, [lost])} />);
	expect(container.textContent).toContain("XWorkmate doesn’t know yet whether your message arrived.");
	rerender(<RunBar {...bar} view={works} appAway />);
	expect(container.textContent).toContain("Connection lost");
});

const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString() as Timestamp;
const queued = update(1, { kind: "status", progress: { stage: "queued" } }, { status: "queued" });

it.each([
	["a stop", () => ({ status: "running", cancelRequestedAt: ago(4_500) }) as const, [], /Stop requested \d s ago/],
	["the wait in a queue", () => ({ status: "queued" }) as const, [queued], /waiting 0:(?:0[89]|1\d)/],
])("counts from the app's times by the app's clock, however far the bridge's is ahead: %s", async (_name, more, updates, said) => {
	using app = new FakeApp();
	const { endedAt: _, ...ran } = ended({}, undefined).turn;
	const turn = { ...ran, turnId, createdAt: ago(9_500), ...more() };
	const thread = { ...summary("thread1", 5), sessionId: threadId, lastTaskArtifactRelativePaths: [], turns: [], deleted: false };
	app.answers.set("readThread", () => ({
		...{
			thread: { ...thread, pendingTurnId: turnId },
			turns: [{ ...ended({}, undefined), turn }],
			folder: "/x",
			queued: [],
			queueHeld: false,
		},
	}));
	app.answers.set("listFiles", () => ({ folder: "/x", runs: [] }));
	app.answers.set("readUpdates", ({ afterSeq }) => ({ updates: updates.slice(Number(afterSeq)), more: false }));
	const ahead = { ...appState.bridge, clockAheadMs: 3_600_000 };
	const listed = [summary("thread1", 5, { lastTurn: turn, pendingTurnId: turnId })];
	const reader = new ThreadReader(threadId);
	await reader.read();
	const { wrapper } = new InApp({ ...appState, bridge: ahead, threads: listed });
	render(<Conversation reader={reader} summary={undefined} openFile={NO_ACTION} openPanel={NO_ACTION} />, { wrapper });
	await until("its updates are shown", () => reader.turn(turnId).turn.value.view.seq === updates.length);
	expect(screen.getByRole("region", { name: "This run" }).textContent).toMatch(said);
	cleanup();
	reader.close();
});

it("asks for no stop by keys once the agent has ended, and says so", async () => {
	using app = new FakeApp();
	const { endedAt: _, ...turn } = ended({}, undefined).turn;
	const detail = { ...ended({}, undefined), turn: { ...turn, turnId, status: "running" as const } };
	const thread = { ...summary("thread1", 5), sessionId: threadId, lastTaskArtifactRelativePaths: [], turns: [], deleted: false };
	app.answers.set("readThread", () => ({
		...{ thread: { ...thread, pendingTurnId: turnId }, turns: [detail], folder: "/x", queued: [], queueHeld: false },
	}));
	app.answers.set("listFiles", () => ({ folder: "/x", runs: [] }));
	const updates = [stage(1, "working"), stage(2, "collecting")];
	app.answers.set("readUpdates", ({ afterSeq }) => ({ updates: updates.slice(Number(afterSeq)), more: false }));
	const here = new InApp({ ...appState, threads: [summary("thread1", 5, { lastTurn: detail.turn, pendingTurnId: turnId })] });
	const reader = new ThreadReader(threadId);
	await reader.read();
	render(<Conversation reader={reader} summary={undefined} openFile={NO_ACTION} openPanel={NO_ACTION} />, { wrapper: here.wrapper });
	await until("its updates are shown", () => reader.turn(turnId).turn.value.view.seq === updates.length);
	act(() => request("stop"));
	expect([here.said, app.of("cancelTurn")]).toEqual([["Can’t be stopped now"], []]);
	cleanup();
	reader.close();
});

it("leaves the dock as soon as the list tells of the run's end, not when its thread is read again", async () => {
	using app = new FakeApp();
	const { endedAt: _, ...turn } = ended({}, undefined).turn;
	const detailOf = (status: TurnDetail["turn"]["status"]) => ({ ...ended({}, undefined), turn: { ...turn, turnId, status } });
	const thread = { ...summary("thread1", 5), sessionId: threadId, lastTaskArtifactRelativePaths: [], turns: [], deleted: false };
	app.answers.set("readThread", () => ({
		...{ thread: { ...thread, pendingTurnId: turnId }, turns: [detailOf("running")], folder: "/x", queued: [], queueHeld: false },
	}));
	app.answers.set("listFiles", () => ({ folder: "/x", runs: [] }));
	app.answers.set("readUpdates", () => ({ updates: [stage(1, "working")], more: false }));
	const listed = (status: TurnDetail["turn"]["status"], more = {}) => ({
		...appState,
		threads: [summary("thread1", 5, { lastTurn: detailOf(status).turn, ...more })],
	});
	const here = new InApp(listed("running", { pendingTurnId: turnId }));
	const reader = new ThreadReader(threadId);
	await reader.read();
	render(<Conversation reader={reader} summary={undefined} openFile={NO_ACTION} openPanel={NO_ACTION} />, { wrapper: here.wrapper });
	expect(screen.queryByRole("region", { name: "This run" })).not.toBeNull();
	act(() => here.app.set(listed("cancelled")));
	expect(screen.queryByRole("region", { name: "This run" })).toBeNull();
	cleanup();
	reader.close();
});

it("calls a run that was asked to stop by the same state as the header and the list do", () => {
	const bar = { createdAt: at(0), now: BEGIN + 20_000, away: false, gateway: false, stop: NO_ACTION, tryNow: NO_ACTION };
	const lastTurn = { ...ended({}, undefined).turn, turnId, status: "running" as const, cancelRequestedAt: at(16) };
	const threads = [summary("thread1", 5, { pendingTurnId: turnId, lastTurn })];
	const { wrapper } = new InApp({ ...appState, threads });
	const page = render(<HomePage />, { wrapper });
	expect(page.container.querySelector(".sub .st")?.textContent).toBe("Stop requested");
	page.unmount();
	const header = render(<ThreadPage threadId={threadId} />, { wrapper });
	expect(header.container.querySelector("header .st")?.textContent).toBe("Stop requested");
	header.unmount();
	// A plan that was cancelled has asked it to stop.
	const elsewhere = render(
		<RunBar {...bar} view={foldUpdates(emptyTurn, [stage(1, "working"), stage(2, "stopping")])} stoppingSince={at(16)} />,
	);
	expect(elsewhere.container.querySelector(".live-t")?.textContent).toMatch(/^Stop requested 4 s ago/);
	elsewhere.unmount();
	for (const updates of [[stage(1, "working")], [stage(1, "working"), stage(2, "stopping")]]) {
		const { container, unmount } = render(<RunBar {...bar} view={foldUpdates(emptyTurn, updates)} cancelRequestedAt={at(16)} />);
		expect(container.querySelector(".live-t")?.textContent).toMatch(/^Stop requested 4 s ago/);
		unmount();
	}
	// Only a run that was stopped in its work is still called so while its files are collected.
	const stopped = foldUpdates(emptyTurn, [stage(1, "working"), stage(2, "stopping"), stage(3, "collecting")]);
	const late = foldUpdates(emptyTurn, [stage(1, "working"), stage(3, "collecting")]);
	const collecting = render(<RunBar {...bar} view={stopped} cancelRequestedAt={at(16)} />);
	expect(collecting.container.querySelector(".live-t")?.textContent).toMatch(/^Stop requested 4 s ago/);
	collecting.rerender(<RunBar {...bar} view={late} cancelRequestedAt={at(16)} />);
	expect(collecting.container.querySelector(".live-t")?.textContent).toMatch(/^Collecting files.*Can’t be stopped now/);
	collecting.unmount();
	const waits = foldUpdates(emptyTurn, [update(1, { kind: "status", progress: { stage: "queued" } }, { status: "queued" })]);
	const { container } = render(<RunBar {...bar} view={waits} cancelRequestedAt={at(16)} />);
	expect(container.querySelector(".live-t")?.textContent).toMatch(/^QueuedStop requested 4 s ago/);
});

it("[D3] says that a stop was requested only once the app has it", () => {
	const bar = { createdAt: at(0), now: BEGIN + 20_000, away: false, gateway: false, stop: NO_ACTION, tryNow: NO_ACTION };
	const works = foldUpdates(emptyTurn, [stage(1, "working")]);
	const waits = foldUpdates(emptyTurn, [update(1, { kind: "status", progress: { stage: "queued" } }, { status: "queued" })]);
	const { container, rerender } = render(<RunBar {...bar} view={works} kept="sending" />);
	const said = () => [container.querySelector(".live-t")?.textContent, container.querySelector("p")?.textContent];
	expect(said()).toEqual(["Sending stop requestUpdated 19 s ago", undefined]);
	const unsent = "Stop requested. This page will send the request when XWorkmate responds.";
	rerender(<RunBar {...bar} view={works} kept="unsent" />);
	expect(said()).toEqual(["WorkingUpdated 19 s ago", unsent]);
	rerender(<RunBar {...bar} view={waits} kept="sending" />);
	expect(said()[0]).toMatch(/^QueuedSending stop request/);
	rerender(<RunBar {...bar} view={waits} kept="unsent" />);
	expect(said()).toEqual([expect.stringMatching(/^Queued(?!.*(?:Sending|Stop requested))/), unsent]);
	expect(container.querySelector("[data-stop]")).toBeNull();
	rerender(<RunBar {...bar} view={works} kept="unsent" cancelRequestedAt={at(16)} />);
	expect(said()).toEqual([expect.stringMatching(/^Stop requested 4 s ago/), undefined]);
});

it("names no step of the plan once the agent has ended and the files are collected", () => {
	const bar = { createdAt: at(0), now: BEGIN + 20_000, away: false, gateway: false, stop: NO_ACTION, tryNow: NO_ACTION };
	const plan = update(2, { kind: "plan", entries: [{ content: "Write tests", state: "in_progress", priority: "medium" }] });
	const works = foldUpdates(emptyTurn, [stage(1, "working"), plan]);
	const { container, rerender } = render(<RunBar {...bar} view={works} />);
	expect(container.querySelector(".live-t")?.textContent).toContain("Step 1 of 1: Write tests");
	rerender(<RunBar {...bar} view={foldUpdates(works, [stage(3, "collecting")])} />);
	expect(container.querySelector(".live-t")?.textContent).toMatch(/^Collecting files(?!.*Step)/);
});
