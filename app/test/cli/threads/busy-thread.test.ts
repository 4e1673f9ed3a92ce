import { expect, it } from "vitest";
import { runCommand } from "../../../src/cli/threads/run-command.ts";
import { CoreScene } from "../../support/core-scene.ts";
import { RecordingConsole } from "../../support/recording-console.ts";

it.each([{}, { detach: true }])(
	"run --thread %j on a busy thread says that it can't queue the message, and what can be done",
	async (more) => {
		await using scene = await CoreScene.open();
		const { threadId, turnId } = await scene.send("hello");
		const console = new RecordingConsole();
		const flags = { target: "agent", thread: threadId, require: [], attach: [], approve: "none", ...more } as const;
		const context = {
			console,
			onInterrupt: () => () => undefined,
			withApp: (use: (api: typeof scene.api) => Promise<never>) => use(scene.api),
		};
		await expect(runCommand(context as never, "more", flags)).rejects.toMatchObject({
			code: "THREAD_BUSY",
			message: "This thread's last run hasn't ended, and a command can't queue a message in a busy thread.",
			fix: `Wait until it finishes, or stop it: npm run -s xworkmate -- cancel ${threadId}. The page can queue the message: npm run -s xworkmate -- open`,
		});
		expect((await scene.api.showThread({ threadId })).queued ?? []).toEqual([]);
		await scene.api.cancelTurn({ threadId, turnId });
	},
);
