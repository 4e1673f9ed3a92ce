import { afterAll, beforeAll, expect, it } from "vitest";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage({ agents: [unrulyAgent()] });
});
afterAll(() => opened[Symbol.asyncDispose]());

const HEIGHTS = `[...document.querySelectorAll(".setting input.in")].map((field) => field.offsetHeight)`;

/** How far the words of Allow once are from both ends of the button, and how wide it is. */
const PLACE = `(() => {
	const button = [...document.querySelectorAll("[data-approval] button")].find((one) => one.textContent.startsWith("Allow once"));
	const words = document.createRange();
	words.selectNode(button.firstChild);
	const [inner, outer] = [words.getBoundingClientRect(), button.getBoundingClientRect()];
	return [inner.left - outer.left, outer.right - inner.right, outer.width].map(Math.round);
})()`;

it("a field of one line is as high as one line on every part of Settings", async () => {
	const { page, url } = opened;
	for (const part of ["general", "agents", "permissions", "channels", "discord", "openclaw", "storage"]) {
		await page.goto(`${url}#/settings/${part}`);
		await page.locator(".setting").first().waitFor();
		const heights = await page.evaluate<readonly number[]>(HEIGHTS);
		expect([part, heights.filter((height) => height > 40)]).toEqual([part, []]);
	}
});

it("the answers to a request have their words in the middle, whether or not the letters are shown", async () => {
	const { page } = opened;
	await ask(page, "unruly", "UNRULY:ASK do it");
	const allow = page.getByRole("button", { name: /^Allow once/ });
	await allow.waitFor();
	const before = await page.evaluate<readonly number[]>(PLACE);
	expect(before[0]).toBe(before[1]);
	await allow.focus();
	await page.locator("[data-approval] kbd:not(.unseen)").first().waitFor();
	expect(await page.evaluate(PLACE)).toEqual(before);
});

it("on a phone, a message about what was done stays above the message field, and at the end of a page without one", async () => {
	const { page, url } = opened;
	await ask(page, "unruly", "To be archived\nUNRULY:SAY hi");
	await page.locator("[data-outcome=ok]").waitFor();
	await ask(page, "unruly", "UNRULY:SAY to be read");
	await page.locator("[data-outcome=ok]").waitFor();
	await page.locator(".side [data-thread]").filter({ hasText: "To be archived" }).focus();
	await page.keyboard.press("e");
	await page.locator(".toast").waitFor();
	await page.setViewportSize({ width: 390, height: 844 });
	const endOf = (selector: string) => page.evaluate(`document.querySelector("${selector}").getBoundingClientRect().bottom`);
	const topOfField = await page.evaluate<number>(`document.querySelector(".main > .dock > .dockbox").getBoundingClientRect().top`);
	expect(await endOf(".toast")).toBeLessThanOrEqual(topOfField);
	await page.goto(`${url}#/settings/general`);
	await page.locator(".setting").first().waitFor();
	expect(await endOf(".toast")).toBeGreaterThan(844 - 32);
});
