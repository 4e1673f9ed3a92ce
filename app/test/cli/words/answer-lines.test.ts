import { type Output, ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { showThread } from "../../../src/cli/threads/thread-commands.ts";
import { answerLines } from "../../../src/cli/words/runs/answer-lines.ts";
import { CoreScene } from "../../support/core-scene.ts";
import { RecordingConsole } from "../../support/recording-console.ts";

const threadId = ThreadId.parse("t");
const answer = (text: string): Output => ({ text, truncated: false, totalBytes: text.length });
const text = "I looked at three sites.\n<deliverable>\nToday’s news:\n- one\n</deliverable>\nThat is all.";
const setOff = [
	"",
	"  I looked at three sites.",
	"",
	"  What the agent wrote for the plan’s message:",
	"    Today’s news:",
	"    - one",
	"",
	"  That is all.",
];

it("sets the message of a plan's answer off from the agent's work, without the tags, as the page does", () => {
	expect(answerLines(answer(text), threadId, true)).toEqual(setOff);
});

it("leaves tags alone that are no plan's", () => {
	expect(answerLines(answer(text), threadId).join("\n")).toContain("<deliverable>");
});

it("`threads show` does so for the runs of plans", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => {
		run.answer = text;
		run.text(text).end("completed");
	};
	const sent = await scene.send("News");
	await scene.end(sent);
	const shown = await scene.api.showThread({ threadId: sent.threadId });
	const origins = { [sent.turnId]: { kind: "plan", id: "plan-1" } } as NonNullable<typeof shown.origins>;
	const console = new RecordingConsole();
	await showThread({ api: { ...scene.api, showThread: async () => ({ ...shown, origins }) }, console, json: false }, sent.threadId);
	expect(console.lines.join("\n")).toContain(setOff.join("\n"));
});
