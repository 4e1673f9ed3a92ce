import { expect, it } from "vitest";
import { UiScene } from "../support/ui-scene.ts";
import { until } from "../support/until.ts";

it("a trouble of the bridge reaches every page and the doctor while calls still wait for their answer, and is gone when it is well", async () => {
	await using ui = await UiScene.open();
	await ui.signIn();
	await using page = await ui.page();
	await until("the bridge answers", () => page.seen.length > 0 && page.state.bridge.state === "connected");
	const trouble = { what: "ended", own: true, attempt: 4, startsAt: new Date(Date.now() + 8_000).toISOString() } as const;
	ui.scene.app.bridgeTroubled(trouble);
	await until("the page knows", () => page.state.bridge.trouble !== undefined);
	expect(page.state.bridge.trouble).toEqual(trouble);
	const [finding] = (await ui.scene.api.doctor()).filter(({ about }) => about === "bridge");
	expect(finding).toMatchObject({ state: "problem", message: expect.stringMatching(/Restarting it in [78] s \(attempt 4\)/) });
	ui.scene.app.bridgeTroubled(undefined);
	await until("the page knows that it is well", () => page.state.bridge.trouble === undefined && page.state.bridge.state === "connected");
});
