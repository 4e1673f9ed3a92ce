import { resolve } from "node:path";
import { expect, it } from "vitest";
import type { AppApi } from "../../../src/api/app-api.ts";
import { runCommand } from "../../../src/cli/threads/run-command.ts";
import type { RunFlags } from "../../../src/cli/threads/run-request.ts";
import { CoreScene } from "../../support/core-scene.ts";
import { RecordingConsole } from "../../support/recording-console.ts";

async function ran(cwd: string | undefined) {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.text("here").end("completed");
	const flags = { target: "agent", require: [], attach: [], approve: "none", ...(cwd && { cwd }) } as const;
	const context = { console: new RecordingConsole(), onInterrupt: () => () => undefined };
	await runCommand({ ...context, withApp: (use) => use(scene.api) }, "hello", flags);
	return scene.bridge.calls.find(({ method }) => method === "session.start")?.params;
}

it("run --cwd asks the bridge to work in that folder or not at all", async () => {
	expect(await ran("some/folder")).toMatchObject({ workingDirectory: resolve("some/folder"), workingDirectoryRequired: true });
	expect(await ran(undefined)).not.toHaveProperty("workingDirectoryRequired");
});

/** Sends a message that continues a thread whose last message was sent with these flags, and returns what the bridge was asked for. */
async function continued(first: Partial<RunFlags>, second: Partial<RunFlags>) {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.text("here").end("completed");
	const console = new RecordingConsole();
	const context = { console, onInterrupt: () => () => undefined, withApp: <T>(use: (api: AppApi) => Promise<T>) => use(scene.api) };
	const base = { require: [], attach: [], approve: "none" } as const;
	await runCommand(context, "hello", { ...base, ...first });
	const [{ threadId } = { threadId: "" }] = await scene.api.listThreads({ archived: false });
	await runCommand(context, "more", { ...base, ...second, thread: threadId });
	const asked = scene.bridge.calls.findLast(({ method }) => ["session.start", "session.message"].includes(method))?.params;
	return { asked, notes: console.notes };
}

it.each([
	["folder", { cwd: "/p" }, { workingDirectory: "/p", workingDirectoryRequired: true }, "Continuing in the thread's project folder /p."],
	[
		"worktree",
		{ cwd: "/p", worktree: true },
		{ workingDirectory: "/p", workingDirectoryRequired: true, worktree: true },
		"Continuing in the thread's worktree of /p.",
	],
] as const)("run --thread continues in the thread's %s, and says so", async (_place, first, params, said) => {
	const { asked, notes } = await continued(first, {});
	expect(asked).toMatchObject(params);
	expect(notes).toContain(`${said} To work outside of it, add --no-cwd.`);
});

it.each([
	["another folder that is named", { cwd: "/p", worktree: true }, { cwd: "/q" }, { workingDirectory: "/q" }],
	["no folder if that is asked for", { cwd: "/p", worktree: true }, { cwd: false }, {}],
	["no folder if it had none", {}, {}, {}],
] as const)("run --thread continues in %s", async (_where, first, second, params) => {
	const { asked, notes } = await continued(first, second);
	expect(asked).toMatchObject(params);
	expect(asked).not.toHaveProperty("worktree");
	if (!("workingDirectory" in params)) expect(asked).not.toHaveProperty("workingDirectory");
	expect(notes.filter((note) => note.startsWith("Continuing in"))).toEqual([]);
});

it.each([
	["the agent of its last run", {}, {}, { executionTarget: "agent", providerId: "script" }],
	["its agent and model", { provider: "script", model: "m1" }, {}, { executionTarget: "agent", providerId: "script", model: "m1" }],
	["its agent with a model that is named", { model: "m1" }, { model: "m2" }, { providerId: "script", model: "m2" }],
	["its agent, where the target is that agent's", {}, { target: "agent" }, { providerId: "script" }],
] as const)("run --thread continues with %s, and says so", async (_agent, first, second, routing) => {
	const { asked, notes } = await continued(first, second);
	expect(asked).toMatchObject({ routing });
	expect(notes).toContain("Continuing with the thread's agent script. To use another one, add --provider.");
});

it.each([
	["an agent that is named, and none of the thread's models", { model: "m1" }, { provider: "goose" }, { providerId: "goose" }],
	["another target that is named", {}, { target: "gateway" }, { executionTarget: "gateway" }],
] as const)("run --thread continues with %s", async (_agent, first, second, routing) => {
	const { asked, notes } = await continued(first, second);
	expect(asked?.routing).toEqual({ executionTarget: "agent", ...routing });
	expect(notes.filter((note) => note.startsWith("Continuing with"))).toEqual([]);
});

it("run refuses a worktree without a folder", async () => {
	await expect(continued({}, { cwd: false, worktree: true })).rejects.toMatchObject({ message: "A worktree needs a project folder." });
});
