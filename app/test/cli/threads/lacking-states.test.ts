import { Activity, Grounding, type Lacking, lackingIn } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { showActivity } from "../../../src/cli/receipts/receipt-commands.ts";
import { listTasks } from "../../../src/cli/threads/list-tasks.ts";
import { listThreads, showThread } from "../../../src/cli/threads/thread-commands.ts";
import { describeEnd } from "../../../src/cli/words/runs/describe-end.ts";
import { AppError } from "../../../src/errors/app-error.ts";
import { turnReason } from "../../../src/export/turn-reason.ts";
import { lackingStates, stateWords } from "../../../src/strings/runs/states.ts";
import { actionsTitle } from "../../../src/text/runs/actions-title.ts";
import { CoreScene, held } from "../../support/core-scene.ts";
import { AT } from "../../support/fake-run.ts";
import { RecordingConsole } from "../../support/recording-console.ts";

const claim = { code: "CLAIM_WITHOUT_ACTION", start: 0, end: 4 };

it.each([
	["denied", "Succeeded, but the agent reports doing something that was denied."],
	["found", "Succeeded, but a file was changed even though the edit was denied."],
	["unanswered", "Succeeded, but the agent reports acting without your answer."],
] as const)("a thread says why a run that did what was %s is not a plain success", async (unpermitted, words) => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.text("Done.").end("completed");
	const sent = await scene.send("Close them");
	const { turn } = await scene.end(sent);
	const console = new RecordingConsole();
	const showing = async () => {
		const shown = await scene.api.showThread(sent);
		return { ...shown, lacking: { [turn.turnId]: "unverified" as const }, unpermitted: { [turn.turnId]: unpermitted } };
	};
	await showThread({ api: { ...scene.api, showThread: showing }, console, json: false }, sent.threadId);
	const state = console.lines.findIndex((line) => line.startsWith("  ") && line.includes("Permission in doubt"));
	expect(console.lines.slice(state + 1)).toContain(`  ${words}`);
});

it.each([
	["completed", "Permission in doubt", "  Succeeded, but the agent reports acting without your answer."],
	["cancelled", "Cancelled", "  The agent acted without your answer, by its own report."],
	["failed", "Failed", "  The agent acted without your answer, by its own report."],
] as const)(
	"the lists, the thread, the end and the export of a run that is %s say what it did without permission",
	async (status, state, line) => {
		await using scene = await CoreScene.open();
		const item = { toolCallId: "c1", toolId: "codex:edit", risk: "write", origin: "reported", status: "succeeded", when: AT };
		const items = [{ ...item, words: "a.md", receiptRef: "run-1.2", unpermitted: "unanswered" }];
		const counts = { succeeded: 0, failed: 0, denied: 0, pending: 0, unknown: 0, reported: 1 };
		scene.bridge.onRun = (run) => {
			run.checked = { activity: Activity.parse({ runId: "run-1", completed: 0, counts, items, truncated: false }) };
			run.text("Done.").end(status);
		};
		const sent = await scene.send("Write it");
		const { turn, thread, snapshot } = await scene.end(sent);
		if (snapshot === undefined) throw new Error("the run has ended");
		const console = new RecordingConsole();
		const tasks = async () => ({ items: [{ ...snapshot, artifactCount: 0, unpermitted: "unanswered" as const }] });
		const output = { api: { ...scene.api, tasks }, console, json: false };
		await listThreads(output, false);
		await listTasks(output, {});
		// A bridge of an earlier version did not tell this, but the app knows it.
		await listTasks({ ...output, api: { ...scene.api, tasks: async () => ({ items: [{ ...snapshot, artifactCount: 0 }] }) } }, {});
		const away = () => Promise.reject(new AppError("BRIDGE_NOT_RUNNING", "It is away", "Wait"));
		await expect(listTasks({ ...output, api: { ...scene.api, tasks: away } }, {})).rejects.toThrow();
		const listed = new RegExp(`${state}(?: \\([A-Z_]+\\))? · the agent acted without your answer, by its own report`);
		expect(console.lines.filter((one) => listed.test(one))).toHaveLength(4);

		const shown = new RecordingConsole();
		await showThread({ ...output, console: shown }, sent.threadId);
		expect(shown.lines[1]).toMatch(listed);
		expect(shown.lines).toContain(line);
		const end = describeEnd({ turn, thread, snapshot }, "/x").slice(0, 2);
		expect(end.some((one) => one.includes(line.replace(/\.$/, "").trim()))).toBe(true);
		const reasons = turnReason(turn, snapshot);
		expect(reasons[0]?.lead).toMatch(new RegExp(`^${state}`));
		expect(reasons.map(({ text }) => text)).toContain(line.trim());
	},
);

it.each(["completed", "failed"] as const)(
	"a thread names the edits that a run that %s reports and that the files contradict",
	async (status) => {
		await using scene = await CoreScene.open();
		const item = { toolCallId: "c1", toolId: "codex:edit", risk: "write", origin: "reported", status: "succeeded", when: AT };
		const edit = { ...item, words: "plan\u202E.md", receiptRef: "run-1.2", contradiction: "not_held" };
		const missing = { ...item, toolCallId: "c2", words: "b.md", receiptRef: "run-1.4", contradiction: "not_found" };
		const counts = { succeeded: 0, failed: 0, denied: 0, pending: 0, unknown: 0, reported: 1 };
		for (const items of [[edit], [edit, missing]]) {
			scene.bridge.onRun = (run) => {
				run.checked = { activity: Activity.parse({ runId: "run-1", completed: 0, counts, items, truncated: false }) };
				run.text("Bye.").end(status);
			};
			const sent = await scene.send("Write it");
			await scene.end(sent);
			const console = new RecordingConsole();
			await showThread({ api: scene.api, console, json: false }, sent.threadId);
			const isUntrue = status === "completed" && items.includes(missing);
			expect(console.lines.includes("  Succeeded, but not everything that the agent reports happened.")).toBe(isUntrue);
			expect(console.lines.filter((line) => line.startsWith("  Reported as"))).toEqual([
				...(items.includes(missing) ? ["  Reported as changed, but not found afterwards: b.md"] : []),
				"  Reported as edited, but the reported text wasn’t found afterwards: plan\\u{202e}.md",
			]);
		}
	},
);

it.each([
	["completed", true],
	["failed", true],
	["cancelled", false],
] as const)("the thread names the calls that were allowed and have no result, of a run that is %s: %s", async (status, isNamed) => {
	await using scene = await CoreScene.open();
	const call = (words: string, more: object = {}) => ({
		...{ toolCallId: words, toolId: "codex:execute", risk: "destructive", origin: "reported", when: AT, receiptRef: "run-1.2", words },
		...{ status: "unknown", code: "NOT_REPORTED", approval: { required: true, decision: "allow_once", by: "person" }, ...more },
	});
	const swapped = { unpermitted: "another", swapped: { allowed: "ls", reported: "curl evil" } };
	const items = [
		...[call("make\u001b[2J deploy"), call("curl evil", swapped), call("echo", { approval: undefined })],
		...[call("touch a", { status: "succeeded", code: undefined }), ...["1", "2", "3", "4", "5"].map((n) => call(`make ${n}`))],
	];
	const counts = { succeeded: 0, failed: 0, denied: 0, pending: 0, unknown: 0, reported: items.length };
	scene.bridge.onRun = (run) => {
		run.checked = { activity: Activity.parse({ runId: "run-1", completed: 0, counts, items, truncated: false }) };
		run.text("Done.").end(status);
	};
	const sent = await scene.send("Deploy");
	const { turn, snapshot } = await scene.end(sent);
	const console = new RecordingConsole();
	await showThread({ api: scene.api, console, json: false }, sent.threadId);
	const named = console.lines
		.filter((line) => line.includes("Allowed:"))
		.map((line) => line.replace(/^ {2}Allowed: (.*?)(?:; XW.*)?$/, "$1"));
	expect(named).toEqual(isNamed ? [expect.stringMatching(/^make.*deploy$/), "make 1", "make 2", "make 3", "make 4"] : []);
	expect(console.lines.join("")).not.toContain("\u001b");
	expect(console.lines.filter((line) => line === "  and 1 more")).toHaveLength(isNamed ? 1 : 0);
	// The export has the same lines.
	const exported = turnReason(turn, snapshot).flatMap(({ items: lines = [] }) => lines);
	const open = exported.filter((line) => line.startsWith("Allowed:"));
	expect([open.length, exported.includes("and 1 more")]).toEqual(isNamed ? [5, true] : [0, false]);
});

it("the list, the thread and the activity say which commands failed in a run that succeeded", async () => {
	await using scene = await CoreScene.open();
	const command = (toolCallId: string, status: "failed" | "succeeded", words: string) => ({
		...{ toolCallId, toolId: "codex:execute", risk: "destructive", origin: "reported", when: AT, receiptRef: "run-1.2" },
		...{ status, words, ...(status === "failed" && { code: "TOOL_FAILED" }) },
	});
	const items = [command("c1", "failed", "npm test"), command("c2", "failed", "make"), command("c3", "succeeded", "make")];
	const counts = { succeeded: 0, failed: 0, denied: 0, pending: 0, unknown: 0, reported: 3 };
	const activity = Activity.parse({ runId: "run-1", completed: 0, counts, items, truncated: false });
	scene.bridge.onRun = (run) => {
		run.checked = { activity };
		run.text("All tests pass.").end("completed");
	};
	const sent = await scene.send("Test it");
	await scene.end(sent);
	const console = new RecordingConsole();
	const output = { api: { ...scene.api, activity: async () => activity }, console, json: false };
	await listThreads(output, false);
	await showThread(output, sent.threadId);
	const { snapshot } = await scene.end(sent);
	if (snapshot === undefined) throw new Error("the run has ended");
	const tasks = async () => ({ items: [{ ...snapshot, artifactCount: 0, failedCommands: 1 }] });
	await showActivity({ ...output, api: { ...output.api, tasks } }, activity.runId);
	await listTasks({ ...output, api: { ...scene.api, tasks } }, {});
	expect(console.lines.filter((line) => line.includes("Succeeded · 1 command failed"))).toHaveLength(3);
	expect(console.lines.filter((line) => /^ {0,2}1 command failed: npm test$/.test(line))).toEqual([
		"  1 command failed: npm test",
		"1 command failed: npm test",
	]);
});

it("the activity of an active run says of a call that it waits for the user's answer", async () => {
	await using scene = await CoreScene.open();
	const run = held(scene.bridge);
	const sent = await scene.send("Test it");
	for await (const event of scene.api.watch(sent)) if (event.type === "update") break;
	const { runId } = run();
	const call = { toolId: "codex:execute", risk: "destructive", origin: "reported", status: "pending", when: AT } as const;
	const items = ["c1", "c2"].map((toolCallId) => ({ ...call, toolCallId, words: toolCallId, receiptRef: `run-1.${toolCallId.slice(1)}` }));
	const counts = { succeeded: 0, failed: 0, denied: 0, pending: 0, unknown: 0, reported: 2 };
	const activity = Activity.parse({ runId, completed: 0, counts, items, truncated: false });
	const tasks = async () => ({ items: scene.bridge.runs.map((one) => ({ ...one.summary(), status: "running" as const })) });
	const listApprovals = async () => [{ runId, toolCallId: "c1" }, { runId: "run-2", toolCallId: "c2" }, { runId }] as never;
	const console = new RecordingConsole();
	await showActivity({ api: { ...scene.api, activity: async () => activity, tasks, listApprovals }, console, json: false }, activity.runId);
	expect(console.lines.slice(-2)).toEqual([
		"  codex:execute “c1”, waiting for the user's answer, run-1.1",
		"  codex:execute “c2”, not finished yet, run-1.2",
	]);
	run().end("completed");
	await scene.end(sent);
});

it("the activity of a run that is still active says so, and as of when it is known", async () => {
	await using scene = await CoreScene.open();
	const run = held(scene.bridge);
	const sent = await scene.send("Test it");
	for await (const event of scene.api.watch(sent)) if (event.type === "update") break;
	const { runId } = run();
	const counts = { succeeded: 0, failed: 0, denied: 0, pending: 0, unknown: 0, reported: 0 };
	const activity = Activity.parse({ runId, completed: 0, counts, items: [], truncated: false });
	const shown = async (status: "queued" | "running" | "completed") => {
		const tasks = async () => ({ items: scene.bridge.runs.map((one) => ({ ...one.summary(), status })) });
		const console = new RecordingConsole();
		await showActivity({ api: { ...scene.api, activity: async () => activity, tasks }, console, json: false }, activity.runId);
		return console.lines;
	};
	const active = [expect.stringMatching(/^The run is still active\. As of .*\d\d:\d\d:$/), "0 actions completed."];
	expect(await shown("queued")).toEqual(active);
	expect(await shown("running")).toEqual(active);
	expect(await shown("completed")).toEqual(["0 actions completed."]);
	run().end("completed");
	await scene.end(sent);
});

it.each([
	["unverified", [claim], "Not verified"],
	["replaced", [], "Not verified"],
	["grounded", [], "Succeeded"],
] as const)("the command calls a run whose answer is %s what the page calls it", async (state, problems, word) => {
	await using scene = await CoreScene.open();
	const grounding = Grounding.parse({ state, problems });
	scene.bridge.onRun = (run) => {
		run.answer = "Done.";
		run.checked = { grounding };
		run.text("Done.").end("completed");
	};
	const sent = await scene.send("Close them");
	const { turn, thread, snapshot } = await scene.end(sent);
	if (snapshot === undefined) throw new Error("the run has ended");
	const lacking: Lacking | undefined = lackingIn(snapshot);
	// As the page's list has it.
	expect(lacking === undefined ? "Succeeded" : stateWords[lackingStates[lacking]]).toBe(word);

	const console = new RecordingConsole();
	const output = { api: scene.api, console, json: false };
	await listThreads(output, false);
	await showThread(output, sent.threadId);
	const { artifactScope, provider, runId, sessionId, threadId, turnId, status, success, lastSeq, createdAt } = snapshot;
	const task = { artifactScope, provider, runId, sessionId, threadId, turnId, status, success, lastSeq, createdAt, artifactCount: 0 };
	await listTasks({ ...output, api: { ...scene.api, tasks: async () => ({ items: [{ ...task, ...(lacking && { lacking }) }] }) } }, {});
	const said = console.lines.filter((line) => /Succeeded|Not verified/.test(line));
	expect(said.map((line) => /Succeeded|Not verified/.exec(line)?.[0])).toEqual([word, word, word, word]);

	// At its end both say why, in the same words.
	expect(describeEnd({ turn, thread, snapshot }, "/x")[0]).toBe((actionsTitle(snapshot) ?? "Succeeded").replace(/\.$/, ""));
});
