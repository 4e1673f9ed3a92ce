import { act, cleanup, render } from "@testing-library/react";
import { Grounding, type SessionUpdate, ThreadId, TurnId } from "@xworkmate/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { TurnDetail } from "../../../src/api/ui-api.ts";
import { Conversation } from "../../../src/ui/conversation/conversation.tsx";
import { ThreadReader } from "../../../src/ui/follow/thread-reader.ts";
import { markdown } from "../../../src/ui/rich-text/message-text.tsx";
import { saidIn } from "../../../src/ui/turn/missing-end.ts";
import { emptyTurn } from "../../../src/ui/turn/turn-view.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { InApp } from "../in-app.tsx";
import { ended, foldUpdates, snapshot, stage, summary, update } from "../stories.ts";

const threadId = ThreadId.parse("thread1");
const turnId = TurnId.parse("turn1");
const EARLIER = "Let me look at the issues that are open first.";
const CLAIM = "I closed 3 issues.";
const ANSWER = `Done. ${CLAIM}`;
const MISSING = "Some of this run’s steps are missing here.";
const FROM_RESULT = `${MISSING} The answer below is from the run’s result.`;

let app: FakeApp;
let reader: ThreadReader;
let stored: SessionUpdate[];
beforeEach(async () => {
	app = new FakeApp();
	reader = new ThreadReader(threadId);
	stored = [stage(1, "working"), says(2, "m1", EARLIER)];
	await markdown.preload();
});
afterEach(() => {
	cleanup();
	reader.close();
	app[Symbol.dispose]();
});

const says = (seq: number, messageId: string, text: string) => update(seq, { kind: "message_delta", messageId, text });

const result = (given: Partial<Output> = {}) => {
	const start = ANSWER.indexOf(CLAIM);
	const problems = [{ code: "CLAIM_WITHOUT_ACTION", start, end: start + CLAIM.length }];
	const output = { text: ANSWER, truncated: false, totalBytes: ANSWER.length, ...given };
	return snapshot({ lastSeq: 4, output, grounding: Grounding.parse({ state: "unverified", problems }) });
};

type Output = NonNullable<ReturnType<typeof snapshot>["output"]>;

/** Shows the thread, whose only turn is this, and which waits for it if `isPending`. */
async function show(detail: TurnDetail, isPending = false) {
	const thread = { ...summary("thread1", 5), sessionId: threadId, lastTaskArtifactRelativePaths: [], turns: [], deleted: false };
	app.answers.set("readThread", () => ({
		thread: isPending ? { ...thread, pendingTurnId: turnId } : thread,
		...{ turns: [detail], folder: "/x", queued: [], queueHeld: false },
	}));
	app.answers.set("listFiles", () => ({ folder: "/x", runs: [] }));
	app.answers.set("readUpdates", ({ afterSeq }) => ({ updates: stored.filter(({ seq }) => seq > Number(afterSeq)), more: false }));
	await act(() => reader.read());
}

function open() {
	const { container } = render(<Conversation reader={reader} summary={undefined} openFile={() => {}} openPanel={() => {}} />, {
		wrapper: new InApp().wrapper,
	});
	const marked = () => [...container.querySelectorAll("mark")].map((mark) => mark.textContent?.replace("Couldn’t verify:", "").trim());
	return { text: () => container.textContent ?? "", marked, isRead: () => reader.turn(turnId).turn.value.state === "read" };
}

it("a run whose end the app could not fetch shows the answer of its result, with its own sentences marked", async () => {
	await show(ended({ turnId }, result()));
	const { text, marked, isRead } = open();
	await until("it is read", isRead);
	await until("it says what is missing", () => text().includes(FROM_RESULT));
	expect(marked()).toEqual([CLAIM]);
	expect(text()).toContain(`${FROM_RESULT}${ANSWER.slice(0, 4)}`);
});

it("a run that the page followed until the app gave up on it shows the answer of its result below what was received", async () => {
	await show(ended({ turnId, status: "running" }, undefined), true);
	const { text, marked } = open();
	await until("its stream is open", () => app.streams.length === 1);
	const { turn } = ended({ turnId, status: "unresolved" }, undefined);
	app.stream?.line({ type: "ended", turn, thread: summary("thread1", 6) });
	await until("the app has given up on it", () => reader.turn(turnId).turn.value.view.ended !== undefined);
	await show(ended({ turnId }, result()));
	await until("it says what is missing", () => text().includes(FROM_RESULT));
	expect(marked()).toEqual([CLAIM]);
	expect(text().indexOf(EARLIER)).toBeLessThan(text().indexOf(FROM_RESULT));
	expect(text().indexOf(FROM_RESULT)).toBeLessThan(text().indexOf(CLAIM));
});

it("a run of which the end is missing is copied as the answer of its result, not as what was said before", () => {
	const { items } = foldUpdates(emptyTurn, stored);
	expect(saidIn({ items }, result(), "missing")).toBe(ANSWER);
	expect(saidIn({ items }, result(), undefined)).toBe(EARLIER);
});

it("a run whose end arrives after all shows all of it, and says no longer that steps are missing", async () => {
	await show(ended({ turnId, status: "unresolved" }, undefined));
	const { text, marked, isRead } = open();
	await until("it is read", isRead);
	stored.push(says(3, "m2", ANSWER), update(4, { kind: "status" }, { status: "completed" }));
	await show(ended({ turnId }, result()));
	await until("its end is read", () => reader.turn(turnId).turn.value.view.seq === 4);
	await until("its claim is marked", () => marked().length === 1);
	expect(marked()).toEqual([CLAIM]);
	expect(text()).not.toContain(MISSING);
});

it.each([
	["whole", result()],
	["cut in its result", result({ text: ANSWER.slice(0, 12), truncated: true })],
])("a run of which only steps after its answer are missing shows the answer once: %s", async (_, end) => {
	stored.push(says(3, "m2", ANSWER));
	await show(ended({ turnId }, end));
	const { text, isRead } = open();
	await until("it is read", isRead);
	await until("it says what is missing", () => text().includes(MISSING));
	expect([text().split("Done.").length - 1, text().includes(CLAIM), text().includes(FROM_RESULT)]).toEqual([1, true, false]);
	expect(text()).not.toContain("Truncated here");
	expect(text().indexOf(CLAIM)).toBeLessThan(text().indexOf(MISSING));
	expect(saidIn(reader.turn(turnId).turn.value.view, end, "steps")).toBe(`${EARLIER}\n\n${ANSWER}`);
});

it("a run whose end is missing says that the answer of its result was cut", async () => {
	await show(ended({ turnId }, result({ truncated: true })));
	const { text } = open();
	await until("it says what is missing", () => text().includes(FROM_RESULT));
	await until("it says that it was cut", () => text().includes("Truncated here"));
});
