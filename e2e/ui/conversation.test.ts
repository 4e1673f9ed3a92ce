import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { expectAccessible } from "../support/page/expect-accessible.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage({ agents: [unrulyAgent()] });
	opened.page.setDefaultTimeout(20_000);
	await opened.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
	await ask(opened.page, "unruly", "First report\nUNRULY:WRITE report.md hi ;; SAY The **quarterly** figures are in the report.");
	await opened.page.locator("[data-outcome=ok]").waitFor();
});
afterAll(() => opened[Symbol.asyncDispose]());

const field = (page: Page) => page.getByRole("textbox", { name: "Message" });
const palette = (page: Page) => page.getByRole("combobox", { name: "Search commands, threads and agents" });
const focusName = (page: Page) => page.evaluate("document.activeElement.getAttribute('aria-label')");
const hits = (page: Page) => page.evaluate("[...(CSS.highlights.get('find-hits') ?? [])].map(String)");

async function command(page: Page, text: string): Promise<void> {
	await page.keyboard.press("Control+k");
	await palette(page).fill(text);
	await page.keyboard.press("Enter");
	await palette(page).waitFor({ state: "detached" });
}

/** In both themes and widths, with a picture of each where somebody looks at them. */
async function looksRight(page: Page, name: string): Promise<void> {
	await expectAccessible(page);
	const folder = process.env.XWORKMATE_PICTURES;
	if (folder === undefined) return;
	for (const colorScheme of ["light", "dark"] as const) {
		for (const width of [1280, 390]) {
			await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
			await page.setViewportSize({ width, height: 800 });
			await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) });
		}
	}
	await page.setViewportSize({ width: 1280, height: 800 });
}

it("opens the palette by keys alone, gives the focus back, and goes where it is told", async () => {
	const { page } = opened;
	await field(page).focus();
	await page.keyboard.press("Control+k");
	await palette(page).waitFor();
	await looksRight(page, "palette");
	await page.keyboard.press("Escape");
	await expect.poll(() => focusName(page)).toBe("Message");
	await command(page, "sett appear");
	await expect.poll(() => page.evaluate("location.hash")).toBe("#/settings/appearance");
	await command(page, "first repo");
	await expect.poll(() => page.evaluate("location.hash")).toMatch(/^#\/t\//);
	await expect.poll(() => focusName(page)).toBe("Message");
});

it("finds a text inside the thread, also across bold letters, and leaves Ctrl+F to the browser", async () => {
	const { page } = opened;
	await command(page, "find in this");
	const find = page.getByRole("searchbox", { name: "Find in this thread" });
	await expect.poll(() => focusName(page)).toBe("Find in this thread");
	await find.fill("QUARTERLY figures");
	await page.getByText("2 of 2").first().waitFor();
	// The message as it was typed, and the answer as it is shown.
	await expect.poll(() => hits(page)).toEqual(["quarterly** figures", "quarterly figures"]);
	await find.fill("report");
	await expect.poll(async () => ((await hits(page)) as readonly string[]).length).toBeGreaterThanOrEqual(3);
	await looksRight(page, "find");
	await page.keyboard.press("Escape");
	await find.waitFor({ state: "detached" });
	await expect.poll(() => hits(page)).toEqual([]);
	// A result of the search opens with its places marked.
	await page.getByRole("searchbox", { name: "Search threads" }).fill("quarterly");
	await page.getByRole("heading", { name: /^Results/ }).waitFor();
	await page.keyboard.press("Enter");
	await find.waitFor();
	await expect.poll(() => hits(page)).toContain("quarterly");
	await page.getByRole("searchbox", { name: "Search threads" }).fill("");
	await page.getByRole("button", { name: "Close search" }).click();
});

it("copies, edits and continues a message, by its button and by the menu key; what was said before stays", async () => {
	const { page } = opened;
	const message = page.getByRole("button", { name: "Actions for your message" });
	await message.focus();
	await page.keyboard.press("Shift+F10");
	await page.getByRole("menuitem", { name: "Copy message" }).waitFor();
	await looksRight(page, "message-menu");
	await page.getByRole("menuitem", { name: "Copy message" }).click();
	await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toMatch(/^First report\nUNRULY/);
	await page.getByRole("button", { name: "Actions for this answer" }).click();
	await page.getByRole("menuitem", { name: "Copy answer as Markdown" }).click();
	await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe("The **quarterly** figures are in the report.");
	await message.click();
	await page.getByRole("menuitem", { name: "Edit and send again" }).click();
	await expect.poll(() => field(page).inputValue()).toMatch(/^First report/);
	await field(page).fill("Second report\nUNRULY:SAY in other words");
	await page.keyboard.press("Enter");
	await page.locator("main").getByText("in other words", { exact: true }).waitFor();
	expect(await page.locator(".me").count()).toBe(2);
	expect(await page.locator(".me").first().textContent()).toContain("First report");
	await page.getByRole("button", { name: "Actions for your message" }).first().click();
	await page.getByRole("menuitem", { name: "Continue from here in a new thread" }).click();
	await page.getByText("Continues “First report”: the agent gets 1 message from that thread as text").waitFor();
	await looksRight(page, "continue");
	await field(page).fill("Third report");
	await page.keyboard.press("Enter");
	await page.locator("[data-outcome=ok]").first().waitFor();
	await page.getByText("Continues “First report”. The first message here was sent with 1 message").waitFor();
	await looksRight(page, "continued");
});

it("pins, tags and exports a thread from its menu, and names a file in a message", async () => {
	const { page } = opened;
	await command(page, "first report");
	await command(page, "pin this");
	await page.getByRole("heading", { name: /^Pinned/ }).waitFor();
	await command(page, "tag this");
	await page.getByRole("textbox", { name: "Tags, separated by commas" }).fill("Work, to read");
	await looksRight(page, "tags");
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: "Tag Work" }).click();
	await expect.poll(() => page.locator(".side [data-thread]").count()).toBe(1);
	const row = page.locator(".side .row").first();
	await row.hover();
	await row.locator(".more").click();
	await page
		.getByRole("menuitem", { name: "Pin" })
		.or(page.getByRole("menuitem", { name: "Unpin" }))
		.first()
		.waitFor();
	await looksRight(page, "thread-menu");
	const download = page.waitForEvent("download");
	await page.getByRole("menuitem", { name: "Export as Markdown" }).click();
	const text = await readFile(await (await download).path(), "utf8");
	expect(text).toMatch(/^# First report\n/);
	expect(text).toContain("> The **quarterly** figures are in the report.");
	await page.getByRole("button", { name: "Tag Work" }).click();
	await field(page).fill("");
	await field(page).pressSequentially("Read @rep");
	await page.getByRole("listbox", { name: "Files in this thread and its project folder" }).waitFor();
	await looksRight(page, "mention");
	await field(page).focus();
	await page.keyboard.press("Enter");
	expect(await field(page).inputValue()).toBe("Read report.md ");
});

it("has a sidebar whose width is changed by keys and kept", async () => {
	const { page } = opened;
	const edge = page.getByRole("separator", { name: "Width of the sidebar" });
	// Each press focuses the edge again, because the mention that was taken before focuses the field in the next frame.
	for (let press = 0; press < 3; press++) await edge.press("ArrowRight");
	await expect.poll(() => edge.getAttribute("aria-valuenow")).toBe("320");
	await page.reload();
	await expect.poll(() => page.evaluate("Math.round(document.querySelector('.side').getBoundingClientRect().width)")).toBe(320);
	expect(opened.faults).toEqual([]);
});
