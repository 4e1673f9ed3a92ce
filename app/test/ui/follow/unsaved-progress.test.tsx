import { act, cleanup, render, screen } from "@testing-library/react";
import { ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, expect, it } from "vitest";
import { Conversation } from "../../../src/ui/conversation/conversation.tsx";
import { ThreadReader } from "../../../src/ui/follow/thread-reader.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { ended, stage, summary } from "../stories.ts";

afterEach(cleanup);
const threadId = ThreadId.parse("thread1");
const turnId = TurnId.parse("turn1");

it("reads a run whose progress can't be saved aloud as just that, and as one with a lost connection once the app is away", async () => {
	using app = new FakeApp();
	const { endedAt: _, ...turn } = ended({}, undefined).turn;
	const thread = { ...summary("thread1", 5), sessionId: threadId, lastTaskArtifactRelativePaths: [], turns: [], deleted: false };
	app.answers.set("readThread", () => ({
		thread: { ...thread, pendingTurnId: turnId },
		turns: [{ ...ended({}, undefined), turn: { ...turn, turnId, status: "running" } }],
		folder: "/x",
		queued: [],
		queueHeld: false,
	}));
	app.answers.set("listFiles", () => ({ folder: "/x", runs: [] }));
	app.answers.set("readUpdates", () => ({ updates: [stage(1, "working")], more: false }));
	const reader = new ThreadReader(threadId);
	await reader.read();
	const here = new InApp();
	render(<Conversation reader={reader} summary={undefined} openFile={() => {}} openPanel={() => {}} />, { wrapper: here.wrapper });
	await until("its stream is open", () => app.streams.length === 1);
	app.stream?.line({ type: "connection_lost", code: "SQLITE_IOERR", local: true });
	await until("it is told", () => screen.queryByRole("article", { name: /progress can’t be saved$/ }) !== null);
	expect(screen.getByRole("article").textContent).toContain("XWorkmate can’t save this run’s progress");
	expect(screen.queryByRole("button", { name: "Reconnect" })).toBeNull();
	act(() => here.link.set("gone"));
	expect(screen.getByRole("article", { name: /connection lost$/ }).textContent).toContain("Reconnecting…");
	expect(screen.getByRole("button", { name: "Reconnect" })).toBeTruthy();
	act(() => here.link.set("live"));
	app.stream?.line({ type: "connection_lost", code: "DISK_FULL", local: true });
	await until("it is told", () => screen.getByRole("article").textContent?.includes("Waiting for disk space…") === true);
	expect(screen.getByRole("article", { name: /progress can’t be saved$/ })).toBeTruthy();
	reader.close();
});
