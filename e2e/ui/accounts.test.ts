import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPage } from "../support/page/opened-page.ts";

/** Nothing listens there: no test of an account leaves this computer. */
const env = { XWORKMATE_ANTHROPIC_URL: "http://127.0.0.1:9" };
const key = (letter: string) => `sk-ant-api03-${letter.repeat(95)}`;

it("adds accounts, says beside the field what is wrong with a token, keeps an order that was made by keyboard, and removes one", async () => {
	await using opened = await openPage({ env });
	const { page, home, faults } = opened;
	await page.goto(`${opened.url}#/settings/accounts`);
	await page.getByText("No accounts yet").waitFor();
	await page.getByRole("button", { name: "Add account" }).click();
	const token = page.getByLabel("Paste the setup token");
	await expect.poll(() => page.evaluate("document.activeElement.type")).toBe("password");
	await token.fill("sk-ant-oat01-tooshort");
	await page.keyboard.press("Enter");
	await page
		.locator(".how-to")
		.getByRole("alert")
		.getByText(/too short/)
		.waitFor();
	expect(await token.inputValue()).toBe("");
	await page.getByRole("radio", { name: /Anthropic API key/ }).check();
	for (const [name, letter] of [
		["first", "a"],
		["second", "b"],
	] as const) {
		if (name === "second") {
			await page.getByRole("button", { name: "Add account" }).click();
			await page.getByRole("radio", { name: /Anthropic API key/ }).check();
		}
		await page.getByLabel("Paste the API key").fill(key(letter));
		await page.getByLabel("Name (optional)").fill(name);
		await page.getByRole("button", { name: "Save and test" }).click();
		await page.getByRole("button", { name: `Remove anthropic:${name}` }).waitFor();
	}
	const order = () =>
		page
			.getByRole("list", { name: "Anthropic" })
			.locator("[data-profile]")
			.evaluateAll((rows) => rows.map((row) => row.getAttribute("data-profile")));
	expect(await order()).toEqual(["anthropic:second", "anthropic:first"]);
	await page.getByRole("button", { name: /^Move anthropic:first/ }).focus();
	await page.keyboard.press("Space");
	await page.keyboard.press("ArrowUp");
	expect(await order()).toEqual(["anthropic:first", "anthropic:second"]);
	const saved = page.waitForResponse(/orderAccounts/);
	await page.keyboard.press("Space");
	await saved;
	expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Move anthropic:first, position 1 of 2");
	await page.reload();
	await expect.poll(order).toEqual(["anthropic:first", "anthropic:second"]);
	await page.getByRole("button", { name: "Remove anthropic:second" }).click();
	await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
	await expect.poll(order).toEqual(["anthropic:first"]);
	const stored = await readFile(join(home.xworkmate, "auth-profiles.json"), "utf8");
	expect([stored.includes(key("a")), stored.includes(key("b"))]).toEqual([true, false]);
	expect(await page.content()).not.toMatch(/sk-ant-(?:api|oat)/);
	expect(faults).toEqual([]);
});
