import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { manyThreads } from "../support/app/many-threads.ts";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage({ agents: [unrulyAgent()], prepare: (home) => manyThreads(home, 500) });
	opened.page.setDefaultTimeout(20_000);
});
afterAll(() => opened[Symbol.asyncDispose]());

const field = (page: Page) => page.getByRole("textbox", { name: "Message" });
const row = (page: Page, title: string) => page.locator(".side [data-thread]").filter({ hasText: title });
/** What has the focus, in words. */
const focused = (page: Page) =>
	page.evaluate("(document.activeElement.getAttribute('aria-label') ?? '') + ' ' + document.activeElement.tagName");
const keptFocus = async (page: Page) => {
	// Two frames: a browser drops the focus of what is hidden with the next one.
	await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
	expect(await focused(page)).not.toMatch(/ BODY$/);
};
const open = async (page: Page, hash: string) => {
	await page.goto(opened.url + hash);
	await page.reload();
};

it("[D14] leads from an opened thread to its message field in at most three presses, with 500 threads", async () => {
	const { page } = opened;
	await open(page, "#/t/copy-400");
	await field(page).waitFor();
	await page.evaluate("document.activeElement.blur()");
	await page.keyboard.press("Tab");
	expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to message");
	await page.keyboard.press("Enter");
	expect(await focused(page)).toBe("Message TEXTAREA");
	for (const key of ["c", "Alt+c"]) {
		await row(page, "Thread 400").focus();
		await page.keyboard.press(key);
		expect(await focused(page)).toBe("Message TEXTAREA");
	}
	expect(await field(page).inputValue()).toBe("");
});

it("[D14] has the whole list as one stop of Tab, with the open thread first, and its menu by a key", async () => {
	const { page } = opened;
	await open(page, "#/t/copy-400");
	await field(page).waitFor();
	await page.getByRole("searchbox").focus();
	const stops: unknown[] = [];
	for (let n = 0; n < 8; n++) {
		await page.keyboard.press("Tab");
		stops.push(await page.evaluate("document.activeElement.dataset.thread ?? ''"));
	}
	expect(stops.filter((stop) => stop !== "")).toEqual(["copy-400"]);
	await row(page, "Thread 400").focus();
	await page.keyboard.press("Home");
	await page.keyboard.press("ArrowDown");
	await expect.poll(() => page.evaluate("document.activeElement.closest('[data-index]')?.dataset.index")).toBe("2");
	for (const key of ["ArrowRight", "Shift+F10"]) {
		await page.keyboard.press(key);
		await page.getByRole("menuitem", { name: /Rename/ }).waitFor();
		await page.keyboard.press("Escape");
		await expect.poll(() => page.evaluate("document.activeElement.closest('[data-index]')?.dataset.index")).toBe("2");
	}
	await page.keyboard.press("End");
	await expect.poll(() => page.evaluate("document.activeElement.closest('[data-index]')?.dataset.index")).toBe("500");
	await page.keyboard.press("Enter");
	await expect.poll(() => focused(page)).toBe("Message TEXTAREA");
});

it("[D14] never loses the focus: to the next thread, out of files, after an answer, after the first words of a search", async () => {
	const { page } = opened;
	await open(page, "#/t/copy-400");
	await field(page).focus();
	await page.keyboard.press("Alt+ArrowDown");
	await keptFocus(page);
	await expect.poll(() => focused(page)).toBe("Message TEXTAREA");
	expect(await page.evaluate("location.hash")).not.toBe("#/t/copy-400");

	await page.getByRole("button", { name: /^Files/ }).focus();
	await page.keyboard.press("Enter");
	await page
		.getByRole("complementary", { name: "Files" })
		.getByRole("button", { name: /report\.md/ })
		.first()
		.focus();
	await page.keyboard.press("Enter");
	await page.getByRole("region", { name: "Preview of report.md" }).first().waitFor();
	await page.getByRole("button", { name: /^Close preview/ }).focus();
	await page.keyboard.press("Escape");
	await page.getByRole("region", { name: "Preview of report.md" }).waitFor({ state: "detached" });
	await keptFocus(page);
	await page.keyboard.press("Escape");
	await page.getByRole("complementary", { name: "Files" }).waitFor({ state: "detached" });
	await keptFocus(page);

	await page.keyboard.press("Control+k");
	await expect.poll(() => focused(page)).toMatch(/INPUT$/);
	await page.keyboard.type("Thread 321");
	await page.keyboard.press("Enter");
	await expect.poll(() => page.evaluate("location.hash")).toBe("#/t/copy-321");
	await expect.poll(() => focused(page)).toBe("Message TEXTAREA");
});

it("[D14] goes on to the next request after an answer, and to the message field after the last", async () => {
	const { page } = opened;
	await ask(page, "unruly", "Two questions\nUNRULY:ASK one ;; ASK two ;; SAY hello");
	await page.locator("[data-approval]").waitFor();
	await page.keyboard.press("Alt+y");
	await page.keyboard.press("a");
	await page.locator(".said").first().waitFor();
	await keptFocus(page);
	await page.locator("[data-approval]").waitFor();
	await page.keyboard.press("Alt+y");
	await page.keyboard.press("a");
	await page.locator("[data-outcome=ok]").waitFor();
	await keptFocus(page);
});

it("[D22] never scrolls as a whole, and its live regions take no room", async () => {
	const { page } = opened;
	for (const hash of ["#/", "#/new", "#/t/copy-400", "#/settings/keys"]) {
		await open(page, hash);
		await page.getByRole("main").waitFor();
		await page.locator(".side [data-thread]").first().waitFor();
		const over = "[document.scrollingElement, document.querySelector('.frame')].map((box) => box.scrollHeight - box.clientHeight)";
		expect(await page.evaluate(over), hash).toEqual([0, 0]);
	}
});

it("[D15] [D29] on a phone opens a thread by a tap on its time, and has one way back from the run log", async () => {
	const { page } = opened;
	await page.setViewportSize({ width: 390, height: 844 });
	await open(page, "#/t/copy-400");
	await page.getByRole("button", { name: /^Back to threads/ }).click();
	const first = page.locator(".side [data-thread]").first();
	const threadId = await first.getAttribute("data-thread");
	expect(threadId).not.toBe("copy-400");
	await first.locator("time").click();
	await expect.poll(() => page.evaluate("decodeURIComponent(location.hash)")).toBe(`#/t/${threadId}`);
	expect(await page.getByRole("menuitem").count()).toBe(0);
	await page.keyboard.press("Control+l");
	await page.getByRole("heading", { name: "Run log" }).waitFor();
	expect(await page.locator("main .lucide-arrow-left").filter({ visible: true }).count()).toBe(1);
	await page.getByRole("link", { name: "Back to the conversation" }).click();
	await field(page).waitFor();
	await page.setViewportSize({ width: 1280, height: 800 });
	expect(opened.faults).toEqual([]);
});
