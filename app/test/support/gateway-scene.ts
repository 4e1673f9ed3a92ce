import type { SentTurn } from "../../src/api/app-api.ts";
import { CoreScene } from "./core-scene.ts";
import type { FakeRun } from "./fake-run.ts";
import { until } from "./until.ts";

/** A scene whose runs continue until they are ended. */
export async function gatewayScene(
	limits: { maxActive: number; maxQueued: number },
	bounds: Parameters<typeof CoreScene.open>[0] = {},
): Promise<CoreScene> {
	const scene = await CoreScene.open(bounds);
	scene.bridge.openclaw = limits;
	scene.bridge.onRun = (run) => void run.text("at work");
	return scene;
}

export const runsBegun = (scene: CoreScene, runs: number) => until(`${runs} runs began`, () => scene.bridge.runs.length >= runs);

export function runOf(scene: CoreScene, { turnId }: SentTurn): FakeRun {
	const run = scene.bridge.runs.find((each) => each.turnId === turnId);
	if (run === undefined) throw new Error(`turn ${turnId} has no run`);
	return run;
}

export async function threadOf(scene: CoreScene, { threadId }: SentTurn) {
	return (await scene.api.showThread({ threadId })).thread;
}
