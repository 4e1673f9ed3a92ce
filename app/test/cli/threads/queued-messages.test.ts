import { expect, it } from "vitest";
import { cancelTask } from "../../../src/cli/threads/cancel-task.ts";
import { listThreads, showThread } from "../../../src/cli/threads/thread-commands.ts";
import { CoreScene, held, routing } from "../../support/core-scene.ts";
import { RecordingConsole } from "../../support/recording-console.ts";

it("cancel, the list and the thread itself say what is queued, and that it is on hold once its run was stopped", async () => {
	await using scene = await CoreScene.open();
	held(scene.bridge);
	const sent = await scene.send("first");
	const { threadId } = sent;
	for await (const event of scene.api.watch(sent)) if (event.type === "update") break;
	const printed = async (act: (output: { api: typeof scene.api; console: RecordingConsole; json: boolean }) => Promise<void>) => {
		const console = new RecordingConsole();
		await act({ api: scene.api, console, json: false });
		return console.lines;
	};
	const cancel = () => printed((output) => cancelTask(output, threadId));
	const show = async () => (await printed((output) => showThread(output, threadId))).join("\n");
	const list = async () => (await printed((output) => listThreads(output, false))).join("\n");

	expect(await show()).not.toContain("queued message");
	for (const prompt of ["second\u202e", "third"]) await scene.api.queueMessage({ threadId, prompt, routing });
	expect(await list()).toMatch(/first {2}2 queued messages$/);
	expect(await show()).toContain("\n\n2 queued messages not sent yet:\n  > second\\u{202e}\n  > third");

	await cancel();
	await scene.end(sent);
	const onHold = [
		"2 queued messages on hold. Send or remove them on the page: npm run -s xworkmate -- open",
		"  > second\\u{202e}",
		"  > third",
	];
	// Stopped already, so a second call has nothing to stop.
	expect(await cancel()).toEqual(["Nothing is running in this thread.", ...onHold]);
	expect(await list()).toMatch(/first {2}2 queued messages on hold$/);
	expect(await show()).toContain(onHold.join("\n"));
	// None of them was sent or removed by that.
	expect(scene.submitted).toEqual(["first"]);
	expect((await scene.api.readThread({ threadId })).queued).toHaveLength(2);
});
