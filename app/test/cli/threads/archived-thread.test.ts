import { expect, it } from "vitest";
import { runCommand } from "../../../src/cli/threads/run-command.ts";
import { CoreScene } from "../../support/core-scene.ts";
import { RecordingConsole } from "../../support/recording-console.ts";

const back = "The thread was archived, so it has been restored.";

it.each([{}, { detach: true }])("run --thread %j says of an archived thread that it is in the list again", async (more) => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.text("here").end("completed");
	const { threadId, turnId } = await scene.send("hello");
	await scene.end({ threadId, turnId });
	const run = async () => {
		const console = new RecordingConsole();
		const flags = { target: "agent", thread: threadId, require: [], attach: [], approve: "none", ...more } as const;
		await runCommand({ console, onInterrupt: () => () => undefined, withApp: (use) => use(scene.api) }, "more", flags);
		for (const { pendingTurnId } of await scene.api.listThreads({ archived: false }))
			if (pendingTurnId !== undefined) await scene.end({ threadId, turnId: pendingTurnId });
		return console.notes;
	};
	expect(await run()).not.toContain(back);
	await scene.api.archiveThread({ threadId });
	expect(await run()).toContain(back);
	expect(await scene.api.listThreads({ archived: false })).toMatchObject([{ threadId }]);
	expect(await run()).not.toContain(back);
});
