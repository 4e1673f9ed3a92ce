import { existsSync } from "node:fs";
import { ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { runCommand } from "../../src/cli/run-command.ts";
import { threadFolder } from "../../src/workspace/index.ts";
import { CoreScene } from "../support/core-scene.ts";
import { RecordingConsole } from "../support/recording-console.ts";

it.each(["draft:nope", "../../x", "🙂"])("run --thread sends nothing where no thread has the id %s, and begins none", async (thread) => {
	await using scene = await CoreScene.open();
	const flags = { target: "agent", thread, require: [], attach: [], approve: "none" } as const;
	const context = { console: new RecordingConsole(), onInterrupt: () => () => undefined };
	const ended = runCommand({ ...context, withApp: (use) => use(scene.core) }, "hello", flags);
	await expect(ended).rejects.toMatchObject({ code: "THREAD_NOT_FOUND" });
	expect(existsSync(threadFolder(scene.home, ThreadId.parse(thread)))).toBe(false);
	expect(await scene.core.listThreads({ archived: false })).toEqual([]);
	expect(scene.submitted).toEqual([]);
});
