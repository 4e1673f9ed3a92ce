import { describe, expect, it } from "vitest";
import { RemoteAppError } from "../../src/api/remote-app.ts";
import { runCommand } from "../../src/cli/threads/run-command.ts";
import { DraftFileId } from "../../src/threads/domain/composed-message.ts";
import { mintThreadId, mintTurnId } from "../../src/threads/domain/minted-ids.ts";
import { CoreScene, routing } from "../support/core-scene.ts";
import { RecordingConsole } from "../support/recording-console.ts";

describe("a message that is sent again because the answer was lost", () => {
	it("is one thread, one turn and one submit, also while the first is still being sent", async () => {
		await using scene = await CoreScene.open();
		const fileId = DraftFileId.parse("file-one");
		await scene.api.keepDraftFile({ fileId, name: "notes.txt", mediaType: "text/plain", bytes: Buffer.from("notes") });
		const press = { prompt: "write a report", routing, draft: { files: [fileId] }, turnId: mintTurnId(), begins: mintThreadId() };
		const sent = await Promise.all([scene.api.send(press), scene.api.send(press)]);
		expect(sent).toEqual([
			{ threadId: press.begins, turnId: press.turnId },
			{ threadId: press.begins, turnId: press.turnId },
		]);
		await scene.end({ threadId: press.begins, turnId: press.turnId });
		expect(await scene.api.send(press)).toEqual({ threadId: press.begins, turnId: press.turnId });
		expect(await scene.api.listThreads({ archived: false })).toHaveLength(1);
		expect(scene.submitted).toHaveLength(1);
	});

	it("is one message behind a busy thread, queued or sent meanwhile", async () => {
		await using scene = await CoreScene.open();
		scene.bridge.onRun = () => undefined;
		const { threadId, turnId } = await scene.send("first");
		const press = { threadId, prompt: "second", routing, turnId: mintTurnId() };
		expect(await scene.api.queueMessage(press)).toEqual({ queuedId: press.turnId });
		expect(await scene.api.queueMessage(press)).toEqual({ queuedId: press.turnId });
		expect((await scene.api.readThread({ threadId })).queued).toHaveLength(1);
		expect(await scene.api.queueMessage({ ...press, prompt: "first", turnId })).toEqual({ turnId });
	});

	it("is refused when it is another message under the same id", async () => {
		await using scene = await CoreScene.open();
		const { threadId, turnId } = await scene.send("one");
		await scene.end({ threadId, turnId });
		await expect(scene.api.send({ prompt: "two", routing, threadId, turnId })).rejects.toMatchObject({ code: "INVALID_INPUT" });
		expect(scene.submitted).toHaveLength(1);
	});

	it("is the same turn when another app takes over before the command has heard that it was sent", async () => {
		await using scene = await CoreScene.open();
		let isFirst = true;
		const withApp: Parameters<typeof runCommand>[0]["withApp"] = async (use) => {
			if (!isFirst) return use(scene.api);
			isFirst = false;
			const api = Object.create(scene.api, {
				send: {
					value: async (request: Parameters<typeof scene.api.send>[0]) => {
						await scene.api.send(request);
						throw new RemoteAppError({ code: "APP_GONE", message: "The app went away." });
					},
				},
			});
			return use(api);
		};
		const flags = { target: "agent", require: [], attach: [], approve: "none" } as const;
		const console = new RecordingConsole();
		expect(await runCommand({ console, onInterrupt: () => () => undefined, withApp }, "hello", flags)).toBe(0);
		expect(scene.submitted).toHaveLength(1);
	});
});
