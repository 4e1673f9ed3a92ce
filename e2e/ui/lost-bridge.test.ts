import { afterAll, beforeAll, expect, it } from "vitest";
import { ask, type OpenedPage, openPage } from "../support/opened-page.ts";
import { unrulyAgent } from "../support/providers.ts";

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage({ agents: [unrulyAgent()] });
});
afterAll(() => opened[Symbol.asyncDispose]());

it("says that the outcome is not known when the bridge dies under an open page, and sends nothing again by itself", async () => {
	const { page, app } = opened;
	await ask(page, "unruly", "UNRULY:SAY working on it ;; HANG");
	await page.locator(".md").getByText("working on it").waitFor();
	process.kill(app.bridgePid, "SIGKILL");
	const outcome = page.locator("[data-outcome=unk]");
	await outcome.getByText("Outcome unknown: the bridge restarted").waitFor({ timeout: 60_000 });
	await outcome.getByRole("heading", { name: "Unknown", exact: true }).waitFor();
	expect(await page.locator("[data-turn]").count()).toBe(1);
	await outcome.getByRole("button", { name: "Edit and resend" }).click();
	await expect.poll(() => page.getByRole("textbox", { name: "Message" }).inputValue()).toContain("working on it");
});

it("says that the app is not running, and shows the same once it is back", async () => {
	const { page } = opened;
	await ask(page, "unruly", "A thread to keep\nUNRULY:SAY hi ;; WRITE a.txt x");
	await page.locator("[data-outcome=ok]").waitFor();
	await opened.app[Symbol.asyncDispose]();
	await page.getByText("The app is not running").waitFor();
	expect(await page.locator("[data-outcome=ok]").count()).toBe(1);
	await opened.restart();
	await page.locator(".side").getByText("A thread to keep").click();
	await page.locator("[data-outcome=ok]").getByText("Checked", { exact: true }).waitFor();
});
