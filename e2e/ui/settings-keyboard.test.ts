import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { type OpenedPage, openPage } from "../support/page/opened-page.ts";

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage({
		agents: [unrulyAgent()],
		prepare: (home) => void mkdirSync(join(home.path, "projects", "one"), { recursive: true }),
	});
	opened.page.setDefaultTimeout(20_000);
});
afterAll(() => opened[Symbol.asyncDispose]());

/** Numbers what can have the focus in the part that is shown, in the order of the page. */
const NUMBER = `(() => {
	const shown = (one) => one.checkVisibility({ visibilityProperty: true }) && one.closest("[inert]") === null;
	const all = [...document.querySelectorAll(".set .scroll :is(a[href], button, input, select, textarea, summary, [tabindex='0'])")];
	const stops = all.filter((one) => !one.disabled && one.tabIndex >= 0 && shown(one));
	// Of radio buttons with one name, Tab stops at one.
	const radios = new Set();
	const counted = stops.filter((one) => one.type !== "radio" || (!radios.has(one.name) && radios.add(one.name)));
	for (const one of document.querySelectorAll("[data-stop]")) delete one.dataset.stop;
	for (const [index, one] of counted.entries()) one.dataset.stop = String(index);
	return counted.length;
})()`;

const HERE = `(() => {
	const one = document.activeElement;
	const style = getComputedStyle(one);
	const isMarked = style.outlineStyle !== "none" || style.boxShadow !== "none";
	return { stop: one.dataset.stop ?? one.closest("[data-stop]")?.dataset.stop, tag: one.tagName, isMarked, name: one.getAttribute("aria-label") ?? one.textContent };
})()`;

interface Here {
	readonly stop?: string;
	readonly tag: string;
	readonly isMarked: boolean;
	readonly name: string;
}

const here = (page: Page) => page.evaluate<Here>(HERE);
const linkOf = (page: Page, name: string) => page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name, exact: true });
const focusedText = (page: Page) => page.evaluate<string>("document.activeElement.textContent");

/** What the part asks of the app has been answered: nothing says that it waits, and nothing more appears. */
async function isSettled(page: Page): Promise<boolean> {
	const before = await page.evaluate<number>(NUMBER);
	await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
	const scroll = page.locator(".set .scroll");
	// A wait says nothing in its first second.
	const isLoading = (await scroll.getByText("Loading").or(scroll.locator(".slow-word")).count()) > 0;
	return !isLoading && (await page.evaluate<number>(NUMBER)) === before;
}

/** Presses Tab until the focus is on something with this text. */
async function tabTo(page: Page, text: string, key = "Tab"): Promise<void> {
	for (let presses = 0; presses < 200; presses++) {
		if ((await here(page)).name === text) return;
		await page.keyboard.press(key);
	}
	throw new Error(`200 presses of ${key} never lead to ${text}`);
}

it("every part of Settings is reached by Tab and Enter, and so is everything in it, marked, without a trap", async () => {
	const { page, url } = opened;
	await page.goto(`${url}#/settings/general`);
	await linkOf(page, "General").waitFor();
	const names = await page.getByRole("navigation", { name: "Settings" }).getByRole("link").allTextContents();
	expect(names.length).toBeGreaterThan(12);
	for (const name of names) {
		// Back to the links from wherever the focus is.
		await tabTo(page, name, "Shift+Tab").catch(() => tabTo(page, name));
		await page.keyboard.press("Enter");
		await expect.poll(() => linkOf(page, name).getAttribute("aria-current")).toBe("page");
		await expect.poll(() => isSettled(page)).toBe(true);
		const count = await page.evaluate<number>(NUMBER);
		const last = names.at(-1) ?? "";
		await tabTo(page, last);
		const seen: Here[] = [];
		// A browser also stops at what can be scrolled, which has no number.
		for (let presses = 0; presses < count + 30 && seen.length < count; presses++) {
			await page.keyboard.press("Tab");
			const now = await here(page);
			expect(`${name} ${seen.length} ${count} ${seen.at(-1)?.name} ${now.tag}`).not.toContain("BODY");
			if (now.stop !== undefined) seen.push(now);
		}
		expect([name, seen.map(({ stop }) => stop)]).toEqual([name, [...Array(count).keys()].map(String)]);
		expect([name, seen.filter(({ isMarked }) => !isMarked)]).toEqual([name, []]);
		await page.evaluate("document.querySelector('.set nav a').focus()");
	}
}, 180_000);

it("a number, a choice, a switch and a project folder are changed without a mouse", async () => {
	const { page, url, home } = opened;
	const saved = (text: string) => page.getByRole("status").filter({ hasText: text }).first().waitFor({ state: "attached" });
	await page.goto(`${url}#/settings/agents`);
	await page.getByLabel("Concurrent runs", { exact: true }).focus();
	await page.keyboard.press("Control+a");
	await page.keyboard.type("7");
	await page.keyboard.press("Enter");
	await saved("Concurrent runs saved");

	await page.goto(`${url}#/settings/general`);
	await page.getByLabel("Default agent").focus();
	await page.keyboard.type("Script");
	await page.keyboard.press("Enter");
	await saved("Default agent saved");

	await page.goto(`${url}#/settings/folders`);
	const browse = page.getByRole("button", { name: "Browse" });
	await browse.focus();
	await page.keyboard.press("Enter");
	await expect.poll(() => focusedText(page)).toBe("Add this folder");
	expect(await page.getByText(home.path, { exact: true }).count()).toBe(1);
	await tabTo(page, "projects");
	await page.keyboard.press("Enter");
	await page.getByText(join(home.path, "projects"), { exact: true }).waitFor();
	await expect.poll(() => focusedText(page)).toBe("Add this folder");
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: `Remove ${join(home.path, "projects")}` }).waitFor();
	await expect.poll(() => focusedText(page)).toBe("Browse");
	await page.keyboard.press("Enter");
	await expect.poll(() => focusedText(page)).toBe("Add this folder");
	await page.keyboard.press("Escape");
	await expect.poll(() => focusedText(page)).toBe("Browse");
	expect(opened.faults).toEqual([]);
}, 60_000);
