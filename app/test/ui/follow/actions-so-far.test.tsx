import { cleanup, render } from "@testing-library/react";
import { ThreadId, ToolCallId, TurnId } from "@xworkmate/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Conversation } from "../../../src/ui/conversation/conversation.tsx";
import { ThreadReader } from "../../../src/ui/follow/thread-reader.ts";
import { formatTime } from "../../../src/ui/text/format.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { receipt } from "../action-stories.ts";
import { InApp } from "../in-app.tsx";
import { approval, at, ended, stage, summary, update } from "../stories.ts";

const NO_ACTION = () => {};
const threadId = ThreadId.parse("thread1");
const turnId = TurnId.parse("turn1");

let app: FakeApp;
let reader: ThreadReader | undefined;
beforeEach(() => {
	app = new FakeApp();
});
afterEach(() => {
	cleanup();
	reader?.close();
	app[Symbol.dispose]();
});

const updates = [
	stage(1, "working"),
	update(2, { kind: "receipt", ...receipt(1, "requested", { toolCallId: "call-1", words: "Delete “Dentist”" }) }),
	update(3, { kind: "approval", ...approval(), toolCallId: ToolCallId.parse("call-1") }),
	update(4, { kind: "receipt", ...receipt(2, "requested", { toolCallId: "call-2", words: "Create “Dentist”" }) }),
	update(5, { kind: "receipt", ...receipt(3, "started", { toolCallId: "call-2" }) }),
];

it("the actions of an active run say which call waits and which one runs, and as of when once the run is not heard of", async () => {
	const { endedAt: _, ...turn } = ended({}, undefined).turn;
	const detail = { ...ended({}, undefined), turn: { ...turn, turnId, status: "running" as const } };
	const thread = { ...summary("thread1", 5), sessionId: threadId, lastTaskArtifactRelativePaths: [], turns: [], deleted: false };
	app.answers.set("readThread", () => ({
		thread: { ...thread, pendingTurnId: turnId },
		turns: [detail],
		folder: "/x",
		queued: [],
		queueHeld: false,
	}));
	app.answers.set("listFiles", () => ({ folder: "/x", runs: [] }));
	app.answers.set("readUpdates", ({ afterSeq }) => ({ updates: updates.filter(({ seq }) => seq > Number(afterSeq)), more: false }));
	reader = new ThreadReader(threadId);
	await reader.read();
	const { container } = render(<Conversation reader={reader} summary={undefined} openFile={NO_ACTION} openPanel={NO_ACTION} />, {
		wrapper: new InApp().wrapper,
	});
	const said = () => [...container.querySelectorAll(".acted-so-far h3, .acted-so-far .st")].map(({ textContent }) => textContent);
	await until("its stream is open", () => app.streams.length === 1);
	await until("its actions are shown", () => said().length === 3);
	expect(said()).toEqual(["Actions so far", "Waiting", "Running"]);
	app.stream?.line({ type: "connection_lost", code: "X" });
	const asOf = `as of ${formatTime(at(5))}`;
	await until("it is told", () => container.textContent.includes("Connection lost"));
	expect(said()).toEqual([`Actions so far ${asOf}`, `Waiting ${asOf}`, `Running ${asOf}`]);
});
