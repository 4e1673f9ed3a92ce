import { expect, it } from "vitest";
import type { SentTurn } from "../../src/api/app-api.ts";
import { CoreScene } from "../support/core-scene.ts";
import { until } from "../support/until.ts";

const turnOf = async (scene: CoreScene, { threadId }: SentTurn) => (await scene.api.showThread({ threadId })).thread.turns[0];

/** The app's bridge is another one from now on. It answers, and has none of the runs. */
async function exchanged(scene: CoreScene): Promise<void> {
	await scene.restart(() => {
		scene.bridge.fault = () => undefined;
		scene.bridgeUrl = scene.bridge.url;
	});
}

it("does not say of a message that no bridge received it because another one does not know it", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.fault = () => ({ kind: "destroy" });
	const sent = await scene.send("x");
	await scene.end(sent);
	await exchanged(scene);
	await until("it was asked", async () => (await turnOf(scene, sent))?.resultDetail?.code === "NOT_FOUND");
	expect((await turnOf(scene, sent))?.status).toBe("unresolved");
});

it("nor that a message was stopped before it started", async () => {
	await using scene = await CoreScene.open({ client: { recoveryMs: 30_000 } });
	scene.bridge.fault = () => ({ kind: "destroy" });
	const sent = await scene.send("x");
	await scene.api.cancelTurn(sent);
	await exchanged(scene);
	await until("it has ended", async () => (await turnOf(scene, sent))?.resultDetail !== undefined);
	expect(await turnOf(scene, sent)).toMatchObject({ status: "unresolved", resultDetail: { code: "NOT_FOUND" } });
	expect(scene.bridge.runs).toEqual([]);
});

it("nor is a message sent to another bridge that the own one may have run", async () => {
	await using scene = await CoreScene.open({ client: { recoveryMs: 30_000 } });
	scene.bridge.fault = () => ({ kind: "destroy" });
	const sent = await scene.send("x");
	await until("it was sent", () => scene.bridge.calls.length > 0);
	await exchanged(scene);
	await until("it has ended", async () => (await turnOf(scene, sent))?.resultDetail !== undefined);
	expect(await turnOf(scene, sent)).toMatchObject({ status: "unresolved", resultDetail: { code: "NOT_FOUND" } });
	expect(scene.bridge.runs).toEqual([]);
});

/** A message whose answer was lost on the way from a bridge elsewhere, at the first address; the app then asks the second one. */
async function sentElsewhere(scene: CoreScene, ...[first, second]: readonly [string, string]) {
	await scene.restart(() => {
		scene.bridgeUrl = first;
	});
	scene.bridge.fault = () => ({ kind: "destroy" });
	const sent = await scene.send("x");
	await until("it was sent", () => scene.bridge.calls.length > 0);
	await scene.restart(() => {
		scene.bridge.fault = () => undefined;
		scene.bridgeUrl = second;
	});
	return sent;
}

it("nor is a message sent to a second bridge elsewhere that the first one may have run", async () => {
	await using scene = await CoreScene.open({ client: { recoveryMs: 30_000 } });
	const { url } = scene.bridge;
	const sent = await sentElsewhere(scene, url, url.replace("127.0.0.1", "localhost"));
	await until("it has ended", async () => (await turnOf(scene, sent))?.resultDetail !== undefined);
	expect(await turnOf(scene, sent)).toMatchObject({ status: "unresolved", resultDetail: { code: "NOT_FOUND" } });
	expect(scene.bridge.runs).toEqual([]);
});

it("sends a message again to the bridge elsewhere that it was for, however its address is written", async () => {
	await using scene = await CoreScene.open({ client: { recoveryMs: 30_000 } });
	const { url } = scene.bridge;
	const sent = await sentElsewhere(scene, url, `${url}/`);
	await scene.end(sent);
	expect(await turnOf(scene, sent)).toMatchObject({ status: "completed" });
	expect(scene.submitted).toEqual(["x"]);
});
