import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { type OpenedPage, openPage } from "../support/page/opened-page.ts";

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage({ agents: [unrulyAgent()] });
});
afterAll(() => opened[Symbol.asyncDispose]());

const message = (page: Page) => page.getByRole("textbox", { name: "Message" });
const attached = (page: Page) => page.getByRole("list", { name: "Attached files" });
const words = (page: Page) => expect.poll(() => message(page).inputValue());

async function beginNew(page: Page): Promise<void> {
	await page.getByRole("navigation", { name: "Threads" }).waitFor();
	await page.keyboard.press("Control+n");
	await message(page).waitFor();
}

it("keeps each window's words and files over reloads when two windows write, and when one of them sends", async () => {
	const { page, home } = opened;
	const second = await opened.another();
	await beginNew(page);
	await beginNew(second);
	const kept = join(home.path, "kept.txt");
	await writeFile(kept, "hello");
	await second.locator("input[type=file]").setInputFiles([kept]);
	await second.getByText("Draft saved").waitFor();
	await page.getByRole("button", { name: /^Agent:/ }).click();
	await page.locator('[role=option][data-provider="unruly"]').click();
	await message(page).fill("UNRULY:SAY one, careful words");
	await page.getByText("Draft saved").waitFor();
	await message(second).fill("three, other");
	// No waiting: a page that goes away keeps what was typed last.
	await second.reload();
	await page.reload();
	await words(page).toBe("UNRULY:SAY one, careful words");
	expect(await attached(page).count()).toBe(0);
	await words(second).toBe("three, other");
	await attached(second).getByText("kept.txt", { exact: true }).waitFor();

	// The window that sends takes only its own words with it.
	await message(page).press("Enter");
	await page.locator("[data-outcome=ok]").waitFor();
	await second.reload();
	await words(second).toBe("three, other");
	await attached(second).getByText("kept.txt", { exact: true }).waitFor();
	// So a window that is opened now finds them, too.
	const third = await opened.another();
	await beginNew(third);
	await words(third).toBe("three, other");
	await attached(third).getByText("kept.txt", { exact: true }).waitFor();
	expect(opened.faults).toEqual([]);
});
