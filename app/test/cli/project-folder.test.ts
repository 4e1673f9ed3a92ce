import { resolve } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../../src/cli/run-command.ts";
import { CoreScene } from "../support/core-scene.ts";
import { RecordingConsole } from "../support/recording-console.ts";

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
