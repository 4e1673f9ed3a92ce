import { expect, it } from "vitest";
import { writeWorldTools } from "../support/bridge/world-tools.ts";
import { openPage } from "../support/page/opened-page.ts";
import { THREAD } from "../support/services/discord-scene.ts";
import { buttonsOf, startFakeDiscord } from "../support/services/fake-discord.ts";

const asking = `await tools.files.write({ path: "list.md", text: "# What is gone" });
const r = await tools.world.destroy({ n: 1 }); return r.ok ? "it is gone" : r.error.code`;

it("[T1-53] [T1-91] shows a conversation on Discord with its origin, request, files and receipts, and a request that is answered here is answered there", async () => {
	await using discord = await startFakeDiscord();
	await using opened = await openPage({ env: { ...discord.settings, XWORKMATE_TOOLS_ACCEPT: "auto" }, prepare: writeWorldTools });
	const { page, url, faults } = opened;
	await discord.connected();
	await discord.say(asking);
	await discord.button("Allow once");
	await page.goto(`${url}#/t/${THREAD}`);
	await page.locator(".me").getByText("Sent on Discord").waitFor();
	await page.locator(".me").getByText("# What is gone").waitFor();
	await page
		.locator("[data-approval]")
		.getByRole("button", { name: /Allow once/ })
		.click();
	const over = await discord.post("the outcome", ({ content }) => content.includes("Allowed once"));
	expect(buttonsOf(over)).toEqual([]);
	const { content } = await discord.answered("it is gone");
	expect(content).toContain("> 1 action completed");
	expect(content).toContain("1 file");
	const outcome = page.locator("[data-outcome=ok]");
	await outcome.getByRole("heading", { name: "1 action completed" }).waitFor();
	await outcome.getByRole("button", { name: "list.md" }).waitFor();
	await page.getByText("it is gone", { exact: true }).waitFor();
	await outcome.getByRole("link", { name: "All receipts" }).click();
	await page.getByRole("button", { name: /^Done.*world\.thing\.destroy/ }).click();
	const steps = page.getByRole("complementary", { name: "One call" }).locator(".trail li b");
	await expect.poll(() => steps.allTextContents()).toEqual(["Requested", "Allowed once by you", "Started", "Succeeded"]);
	expect(faults).toEqual([]);
});
