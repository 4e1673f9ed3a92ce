import { expect, it } from "vitest";
import { cancelTask } from "../../../src/cli/threads/cancel-task.ts";
import { listThreads, showThread } from "../../../src/cli/threads/thread-commands.ts";
import { takeOutRestored } from "../../../src/composer/take-out.ts";
import { openAppStore } from "../../../src/store/open-app-store.ts";
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

it("the list and the thread itself say what a restore removed from the queue, and what can be done about it", async () => {
	await using scene = await CoreScene.open();
	held(scene.bridge);
	const sent = await scene.send("first");
	const { threadId } = sent;
	for await (const event of scene.api.watch(sent)) if (event.type === "update") break;
	const { queuedId } = await scene.api.queueMessage({ threadId, prompt: "removed by the user", routing });
	if (queuedId === undefined) throw new Error("it was not queued");
	await scene.api.queueMessage({ threadId, prompt: "second", routing });
	await scene.api.dropQueued({ threadId, queuedId });
	await scene.restart(() => {
		using opened = openAppStore(scene.home);
		takeOutRestored(opened.store.surface);
	});
	const console = new RecordingConsole();
	await showThread({ api: scene.api, console, json: false }, threadId);
	const shown = console.lines.join("\n");
	expect(shown).toContain(
		[
			"1 message was removed from the queue because a backup was restored. It may have been sent already.",
			"Put it back or delete it on the page: npm run -s xworkmate -- open",
			"  > second",
		].join("\n"),
	);
	expect(shown).not.toContain("removed by the user");
	await listThreads({ api: scene.api, console, json: false }, false);
	expect(console.lines.at(-1)).toMatch(/1 message removed from the queue$/);
});
