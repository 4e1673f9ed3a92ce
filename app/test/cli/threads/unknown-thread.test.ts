import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { changesCommand } from "../../../src/cli/threads/change-commands.ts";
import { listTasks } from "../../../src/cli/threads/list-tasks.ts";
import { runCommand } from "../../../src/cli/threads/run-command.ts";
import { threadFolder } from "../../../src/workspace/index.ts";
import { CoreScene, routing } from "../../support/core-scene.ts";
import { RecordingConsole } from "../../support/recording-console.ts";

it.each(["draft:nope", "../../x", "🙂"])("run --thread sends nothing where no thread has the id %s, and begins none", async (thread) => {
	await using scene = await CoreScene.open();
	const flags = { target: "agent", thread, require: [], attach: [], approve: "none" } as const;
	const context = { console: new RecordingConsole(), onInterrupt: () => () => undefined };
	const ended = runCommand({ ...context, withApp: (use) => use(scene.api) }, "hello", flags);
	await expect(ended).rejects.toMatchObject({ code: "THREAD_NOT_FOUND" });
	expect(existsSync(threadFolder(scene.home, ThreadId.parse(thread)))).toBe(false);
	expect(await scene.api.listThreads({ archived: false })).toEqual([]);
	expect(scene.submitted).toEqual([]);
});

it("tasks --thread says that there is no thread with the id, where neither the app nor the bridge knows one", async () => {
	await using scene = await CoreScene.open();
	const output = { api: scene.api, console: new RecordingConsole(), json: false };
	await expect(listTasks(output, { thread: ThreadId.parse("nope") })).rejects.toMatchObject({ code: "THREAD_NOT_FOUND" });
	await listTasks(output, {});
	expect(output.console.lines).toEqual(["No runs yet."]);
});

it.each([
	[{}],
	[{ apply: ["a.txt"] }],
	[{ discard: ["a.txt"], yes: true as const }],
	[{ commit: true as const, message: "x" }],
	[{ diff: "a.txt" }],
])("changes %j says that there is no thread with the id, and of a thread without changes that it has none", async (flags) => {
	await using scene = await CoreScene.open();
	scene.bridge.fault = ({ method }) => (method.startsWith("xworkmate.edits.") ? { kind: "error", code: "EDITS_UNAVAILABLE" } : undefined);
	scene.bridge.onRun = (run) => void run.end("completed", {});
	const { threadId, turnId } = await scene.send("hi");
	await scene.end({ threadId, turnId });
	const output = { api: scene.api, console: new RecordingConsole(), json: false };
	const context = { confirm: async () => true };
	const unknown = changesCommand(output, ThreadId.parse("nope"), flags, context);
	await expect(unknown).rejects.toMatchObject({
		code: "THREAD_NOT_FOUND",
		message: "There is no thread with this id. It may have been deleted.",
	});
	await expect(changesCommand(output, threadId, flags, context)).rejects.toMatchObject({ code: "EDITS_UNAVAILABLE" });
});

it("a message that is refused leaves no folder behind", async () => {
	await using scene = await CoreScene.open();
	const before = readdirSync(scene.home);
	await expect(scene.api.send({ prompt: "hi", routing, require: ["../x"] })).rejects.toMatchObject({ code: "INVALID_INPUT" });
	expect(readdirSync(scene.home)).toEqual(before);
	expect(existsSync(join(scene.home, "threads"))).toBe(false);
});

it("a message that the bridge refuses, or that is stopped before it is sent, leaves no folder behind", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.fault = ({ method }) => (method === "session.start" ? { kind: "error", code: "WORKING_DIRECTORY_REFUSED" } : undefined);
	const refused = await scene.send("hi");
	expect((await scene.end(refused)).turn.status).toBe("refused");
	await scene.bridge.down();
	const unsent = await scene.send("hi");
	await scene.api.cancelTurn(unsent);
	expect((await scene.end(unsent)).turn.status).toBe("cancelled");
	expect(readdirSync(join(scene.home, "threads"))).toEqual([]);
	expect(scene.faults).toEqual([]);
});

it("a refused message leaves the folder of a thread that has files", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.end("completed", { "report.md": "# hello" });
	const { threadId, turnId } = await scene.send("hi");
	await scene.end({ threadId, turnId });
	scene.bridge.fault = ({ method }) => (method === "session.message" ? { kind: "error", code: "PROVIDER_NOT_FOUND" } : undefined);
	await scene.end(await scene.send("again", threadId));
	expect(readdirSync(threadFolder(scene.home, threadId))).toContain("report.md");
});
