import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CoreScene, held, routing } from "../support/core-scene.ts";
import { sha256 } from "../support/fake-run.ts";
import { until } from "../support/until.ts";

it("keeps an attached file's bytes until the message has succeeded or its thread is deleted", async () => {
	await using scene = await CoreScene.open();
	const attachments = [{ name: "a.txt", mediaType: "text/plain", bytes: Buffer.from("a") }];
	const blobs = () => readdirSync(join(scene.home, "app", "blobs"));
	const run = held(scene.bridge);
	const done = await scene.api.send({ prompt: "x", routing, attachments });
	await until("it runs", () => scene.bridge.runs.length === 1);
	expect(blobs()).toEqual([sha256("a")]);
	run().end("completed");
	await scene.end(done);
	expect(blobs()).toEqual([]);
	const failed = await scene.api.send({ prompt: "y", routing, attachments });
	await until("it runs", () => scene.bridge.runs.length === 2);
	run().end("failed");
	await scene.end(failed);
	expect(blobs()).toEqual([sha256("a")]);
	await scene.api.deleteThread({ threadId: failed.threadId });
	expect(blobs()).toEqual([]);
});

it("sends no message without a file that was attached to it, and says that nothing was run", async () => {
	await using scene = await CoreScene.open({ client: { recoveryMs: 30_000 } });
	await scene.bridge.down();
	const attachments = [{ name: "a.txt", mediaType: "text/plain", bytes: Buffer.from("a") }];
	const sent = await scene.api.send({ prompt: "x", routing, attachments });
	await scene.restart(async () => {
		rmSync(join(scene.home, "app", "blobs"), { recursive: true });
		await scene.bridge.listen();
	});
	const turn = async () => (await scene.api.showThread({ threadId: sent.threadId })).thread.turns.at(-1);
	await until("it has ended", async () => (await turn())?.status === "refused");
	expect((await turn())?.resultDetail?.message).toBe("The bridge never received this message, so nothing was run.");
	expect(scene.submitted).toEqual([]);
});
