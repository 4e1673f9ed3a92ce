import { afterAll, beforeAll, expect, it } from "vitest";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";

/** Every fourth update is a sentence, the others are the steps of a tool. */
const UPDATES = 2_000;

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage({ agents: [unrulyAgent()] });
});
afterAll(() => opened[Symbol.asyncDispose]());

it("takes what is typed while hundreds of updates a second come in, and shows every one of them in the end", async () => {
	const { page, faults } = opened;
	await ask(page, "unruly", `UNRULY:STEADY ${UPDATES} 500 ;; SAY the end of it`);
	await page.locator(".turn-part").nth(2).waitFor();
	const field = page.getByRole("textbox", { name: "Message" });
	const begin = Date.now();
	await field.pressSequentially("typed meanwhile");
	expect(await field.inputValue()).toBe("typed meanwhile");
	expect(Date.now() - begin).toBeLessThan(8_000);
	expect(await page.locator("[data-outcome]").count(), "it still runs").toBe(0);
	await page.locator("[data-outcome]").waitFor({ timeout: 60_000 });
	await page.locator(".md").getByText("the end of it").waitFor();
	await expect.poll(() => page.locator("details.act").count(), { timeout: 20_000 }).toBe(UPDATES / 4);
	expect(await page.locator(".md").count()).toBeGreaterThanOrEqual(UPDATES / 4);
	expect(faults).toEqual([]);
});

it("folds it after a reload, and opens it from its begin", async () => {
	const { page } = opened;
	await page.reload();
	await page.getByText(`${UPDATES / 4} steps`).click();
	await page.getByText("look at file 1", { exact: true }).waitFor();
	await page.getByText(`look at file ${UPDATES - 3}`, { exact: true }).waitFor({ state: "attached" });
	expect(await page.evaluate("document.querySelector('.scroll').scrollTop < 600"), "nothing pushed the begin away").toBe(true);
});
