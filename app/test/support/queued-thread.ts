import type { ThreadDetail } from "../../src/api/ui-api.ts";
import { held } from "./core-scene.ts";
import type { UiScene } from "./ui-scene.ts";
import { until } from "./until.ts";

const routing = { executionTarget: "agent" } as const;

/** A thread whose first turn runs, with messages behind it. */
export async function queued(ui: UiScene, ...prompts: readonly string[]) {
	await ui.signIn();
	const run = held(ui.scene.bridge);
	const { threadId } = await ui.scene.send("first");
	await until("it runs", () => ui.scene.bridge.runs.length === 1);
	for (const prompt of prompts) await ui.call("queueMessage", { threadId, prompt, routing });
	const detail = async () => (await ui.call<ThreadDetail>("readThread", { threadId })).result;
	const waiting = async () => (await detail()).queued.map(({ prompt }) => prompt);
	return { threadId, run, detail, waiting };
}
