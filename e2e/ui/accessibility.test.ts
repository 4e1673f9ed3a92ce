import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { expectAccessible, seriousFindings } from "../support/page/expect-accessible.ts";
import { openParts } from "../support/page/open-parts.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage({ agents: [unrulyAgent()] });
});
afterAll(() => opened[Symbol.asyncDispose]());

it("has no serious finding on the first page", async () => {
	await opened.page.getByRole("button", { name: /Create my first file/ }).waitFor();
	await expectAccessible(opened.page);
});

it("has none with a request, a plan and tools", async () => {
	const { page } = opened;
	await ask(page, "unruly", "UNRULY:THINK so ;; PLAN ;; TOOL look ;; SAY **hi** `x` ;; ASK do it ;; WRITE out/report.md # hi");
	await page.locator("[data-approval]").waitFor();
	await expectAccessible(page);
	await page.getByRole("button", { name: /Allow once/ }).click();
	await page.locator("[data-outcome=mixed]").waitFor();
	await page.getByRole("button", { name: "out/report.md" }).click();
	await page.getByRole("region", { name: "Preview of out/report.md" }).first().waitFor();
	await expectAccessible(page);
	await page.keyboard.press("Control+l");
	await page.getByText("Saved locally").click();
	await page.getByRole("complementary", { name: "Event details" }).waitFor();
	await expectAccessible(page);
});

it("has none on the other pages", async () => {
	const { page } = opened;
	for (const [hash, said] of [
		["#/", "Finished today"],
		["#/receipts", "Not verified yet in this window."],
		["#/tools", "Programs can act only through these tools and the built-in ones"],
		["#/new", "What do you want to get done?"],
		["#/settings/general", "Settings are saved in"],
		["#/settings/folders", "Add folder"],
		["#/settings/appearance", "Theme"],
		["#/settings/notifications", "System notifications"],
		["#/settings/agents", "Concurrent runs"],
		["#/settings/accounts", "No accounts yet"],
		["#/settings/openclaw", "OpenClaw"],
		["#/settings/discord", "Setup"],
		["#/settings/usage", "What your agents reported"],
		["#/settings/permissions", "Approval timeout"],
		["#/settings/storage", "Data folder"],
		["#/settings/shortcuts", "Toggle sidebar"],
		["#/settings/diagnostics", "System checks"],
		["#/settings/log", "the bridge is listening"],
	] as const) {
		await page.goto(opened.url + hash);
		await page.getByText(said).first().waitFor();
		await expectAccessible(page);
	}
});

it("has none in any state of any part", async () => {
	const page = await opened.another();
	await using _parts = await openParts(page);
	await expectAccessible(page);
	await page.close();
});

/** Each opens one thing over the page, by the keys or buttons that people use. */
const overlays: readonly (readonly [string, (page: Page) => Promise<unknown>, (page: Page) => Locator])[] = [
	["the agent picker", (page) => page.getByRole("button", { name: /^Agent:/ }).click(), (page) => page.locator("[role=option]").first()],
	["the folder picker", (page) => page.getByRole("button", { name: /^Folder/ }).click(), (page) => page.locator(".pop").first()],
	["a thread's menu", openMenu, (page) => page.getByRole("menuitem", { name: /Rename/ })],
	["the rename dialog", (page) => chooseInMenu(page, /Rename/), (page) => page.getByRole("dialog")],
	["the delete dialog", (page) => chooseInMenu(page, /Delete/), (page) => page.getByRole("alertdialog")],
	["the command palette", (page) => page.keyboard.press("Control+k"), (page) => page.getByRole("dialog", { name: "Command palette" })],
	["the key sheet", (page) => page.keyboard.press("?"), (page) => page.getByRole("dialog", { name: "Keyboard shortcuts" })],
];

async function openMenu(page: Page): Promise<void> {
	const row = page.locator(".side .row").first();
	await row.hover();
	await row.locator(".more").click();
}

async function chooseInMenu(page: Page, name: RegExp): Promise<void> {
	await openMenu(page);
	await page.getByRole("menuitem", { name }).click();
}

it.each(overlays)("has none with %s open, and closing it with Esc gives the focus back to the page", async (_name, open, shown) => {
	const { page } = opened;
	await page.goto(`${opened.url}#/new`);
	await page.getByRole("textbox", { name: "Message" }).waitFor();
	// Keys of the page work outside of fields.
	await page.getByRole("link", { name: /Settings/ }).focus();
	await open(page);
	await shown(page).waitFor();
	for (const colorScheme of ["light", "dark"] as const) {
		await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
		expect(await seriousFindings(page), colorScheme).toEqual([]);
	}
	await page.keyboard.press("Escape");
	await shown(page).waitFor({ state: "hidden" });
	await expect.poll(() => page.evaluate("document.activeElement !== document.body")).toBe(true);
});
