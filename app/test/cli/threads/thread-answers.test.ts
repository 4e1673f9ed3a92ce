import { Grounding, ReceiptId, type TerminalStatus } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { showThread } from "../../../src/cli/threads/thread-commands.ts";
import { CoreScene } from "../../support/core-scene.ts";
import { RecordingConsole } from "../../support/recording-console.ts";

/** A thread of one run that answered this, as `threads show` prints it. */
async function shown(answer: string, json = false) {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => {
		run.answer = answer;
		run.text(answer).end("completed", { "report.md": "# hello" });
	};
	const sent = await scene.send("What is in it?");
	await scene.end(sent);
	const console = new RecordingConsole();
	await showThread({ api: scene.api, console, json }, sent.threadId);
	return { sent, lines: console.lines };
}

it("shows each message with the answer to it and its files", async () => {
	const { lines } = await shown("Two things:\n\n- one\u001b[2J\n- two\n");
	const from = lines.indexOf("> What is in it?");
	expect(lines.slice(from + 2)).toEqual(["", "  Two things:", "", "  - one", "  - two", "  report.md"]);
});

it("cuts a long answer and says where the whole of it is, which --json has", async () => {
	const answer = `${"x".repeat(4000)}END`;
	const { sent, lines } = await shown(answer);
	expect(lines).toContain(`  ${"x".repeat(4000)}`);
	expect(lines).toContain(`  … The answer is longer. See the full answer: npm run -s xworkmate -- threads show --json ${sent.threadId}`);
	expect(lines.join("\n")).not.toContain("END");
	const whole = await shown(answer, true);
	expect(JSON.parse(whole.lines[0] ?? "").answers[whole.sent.turnId].text).toBe(answer);
});

it.each<[TerminalStatus, Record<string, string>, string]>([
	[
		"failed",
		{ "half.md": "# half" },
		"  1 file collected by the bridge, which keeps files for a limited time. Not saved in the thread’s folder.",
	],
	[
		"cancelled",
		{ "one.md": "1", "two.md": "2" },
		"  2 files collected by the bridge, which keeps files for a limited time. Not saved in the thread’s folder.",
	],
	["completed", {}, "  No files delivered"],
])("says of a %s run that claims files which are not in the folder what happened to them", async (status, files, expected) => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => {
		run.answer = "I saved report.pdf";
		run.text("I saved report.pdf").end(status, files);
	};
	const sent = await scene.send("Write it");
	await scene.end(sent);
	const console = new RecordingConsole();
	await showThread({ api: scene.api, console, json: false }, sent.threadId);
	expect(console.lines.slice(-2)).toEqual(["  I saved report.pdf", expected]);
});

it("says of a run whose files were all rejected how many, under its answer", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => {
		run.checked = { rejectedArtifacts: [{ path: "a.md", reason: "name_collision" }], rejectedCount: 2 };
		run.text("I saved a.md").end("completed");
	};
	const sent = await scene.send("Write it");
	await scene.end(sent);
	const console = new RecordingConsole();
	await showThread({ api: scene.api, console, json: false }, sent.threadId);
	expect(console.lines).toContain("  No files delivered: 2 were rejected");
});

it("shows a thread of an app that an earlier version started, which does not count the files", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.text("done").end("completed");
	const sent = await scene.send("Write it");
	await scene.end(sent);
	const { collected: _, ...earlier } = await scene.api.showThread({ threadId: sent.threadId });
	const console = new RecordingConsole();
	await showThread({ api: { ...scene.api, showThread: async () => earlier }, console, json: false }, sent.threadId);
	expect(console.lines).toContain("> Write it");
	expect(console.lines).not.toContain("  No files delivered");
});

it("[T1-96] keeps what an answer is worth, and says under the answer which sentence nothing backs", async () => {
	await using scene = await CoreScene.open();
	const answer = "3 are old. I’ve closed\u202e them.";
	const grounding = Grounding.parse({ state: "unverified", problems: [{ code: "CLAIM_WITHOUT_ACTION", start: 11, end: answer.length }] });
	const segments = [{ text: "3 are old. " }, { receiptId: ReceiptId.parse("run-1.4"), words: "I’ve closed\u202e them." }];
	scene.bridge.onRun = (run) => {
		run.answer = answer;
		run.checked = { grounding, answer: { segments } };
		run.text(answer).say({ kind: "answer", grounding, segments }).end("completed");
	};
	const sent = await scene.send("Close them");
	await scene.end(sent);
	const console = new RecordingConsole();
	await showThread({ api: scene.api, console, json: false }, sent.threadId);
	const from = console.lines.findIndex((line) => line.includes("Couldn’t verify"));
	expect(console.lines.slice(from, from + 2)).toEqual([
		"  Couldn’t verify what the answer claims: no file or call in this run confirms this.",
		expect.stringMatching(/^ {4}"I’ve closed.*them\."$/),
	]);
	expect(console.lines.join("")).not.toContain("\u202e");
	const { turns } = await scene.api.readThread({ threadId: sent.threadId });
	expect(turns[0]?.snapshot).toMatchObject({ grounding, answer: { segments } });
	const { groundings: _, ...earlier } = await scene.api.showThread({ threadId: sent.threadId });
	const before = new RecordingConsole();
	await showThread({ api: { ...scene.api, showThread: async () => earlier }, console: before, json: false }, sent.threadId);
	expect(before.lines.join("")).not.toContain("Couldn’t verify");
});

it("says of a run that its time limit stopped that it was not the user, and of another that it was cancelled", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.text("So far");
	const state = async (limit: { readonly stoppedAfterMs?: number }) => {
		const sent = await scene.send("Write it");
		await scene.api.cancelTurn({ threadId: sent.threadId, turnId: sent.turnId, ...limit });
		await scene.end(sent);
		const console = new RecordingConsole();
		await showThread({ api: scene.api, console, json: false }, sent.threadId);
		return console.lines[console.lines.indexOf("> Write it") + 1];
	};
	expect(await state({ stoppedAfterMs: 600_000 })).toContain("Stopped after 10 min (--timeout)");
	expect(await state({})).toContain("Cancelled");
});
