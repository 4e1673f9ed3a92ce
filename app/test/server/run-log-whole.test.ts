import { expect, it } from "vitest";
import type { RunLog } from "../../src/api/ui-api.ts";
import { UiScene } from "../support/ui-scene.ts";

it("[D8] a line of the run log that is cut can be read whole, without its secrets", async () => {
	await using ui = await UiScene.open();
	await ui.signIn();
	ui.scene.bridge.onRun = (run) => void run.text("short", `${"x".repeat(600)} a-token-for-tests\nand the end`).end("completed");
	const sent = await ui.scene.send("talk");
	await ui.scene.end(sent);
	const { entries } = (await ui.call<RunLog>("runLog", sent)).result;
	const said = entries.find(({ what }) => what === "message_delta");
	expect(said?.text).toHaveLength(300);
	expect(said?.whole).toMatch(/^shortx{600} \[redacted\]\nand the end$/);
});
