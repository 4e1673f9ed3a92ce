import { afterAll, beforeAll, expect, it } from "vitest";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage({ agents: [unrulyAgent()] });
});
afterAll(() => opened[Symbol.asyncDispose]());

const CLAIM = "I've **closed** them and emailed the list to Jonas.";

it("[T1-95] [T1-96] marks the sentence of an agent that nothing backs, keeps it readable, and still does after a reload", async () => {
	const { page, faults } = opened;
	await ask(page, "unruly", `Close the stale issues\nUNRULY:SAY Of the 41 open issues, 3 are old. ${CLAIM}`);
	for (const again of [false, true]) {
		if (again) await page.reload();
		await page.locator("[data-outcome=mixed]").getByText("Succeeded. 1 claim couldn’t be verified.").waitFor();
		await page.getByText("the marked sentence: no file or call in this run confirms this.").waitFor();
		// The text is marked before it is Markdown, which is loaded on demand.
		const marked = async () => (await page.locator(".md mark.claim").allTextContents()).join("").replace("Couldn’t verify: ", "");
		await expect.poll(marked).toBe("I've closed them and emailed the list to Jonas.");
		expect(await page.locator(".md").textContent()).toContain("Of the 41 open issues, 3 are old.");
	}
	expect(faults).toEqual([]);
});

it("lists the marked sentences of an answer, each with its reason, if the reasons differ", async () => {
	const { page, faults } = opened;
	await page.getByRole("link", { name: "New thread" }).first().click();
	await ask(page, "unruly", "Write the report and mail it\nUNRULY:SAY I created report.md. I sent the mail to Ann.");
	await page.locator("[data-outcome=mixed]").getByText("Succeeded. 2 claims couldn’t be verified.").waitFor();
	await expect.poll(() => page.locator(".note li").allTextContents()).toHaveLength(2);
	const [first, second] = await page.locator(".note li").allTextContents();
	expect([first, second]).toEqual([expect.stringContaining("I created report.md."), expect.stringContaining("I sent the mail to Ann.")]);
	expect(faults).toEqual([]);
});

it("cuts a long state off at the top of a phone, and never draws it over the buttons beside it", async () => {
	const { page } = opened;
	await page.getByRole("link", { name: "New thread" }).first().click();
	await ask(page, "unruly", `Close the stale issues\nUNRULY:SAY ${CLAIM}`);
	await page.locator("[data-outcome=mixed]").waitFor();
	await page.setViewportSize({ width: 390, height: 844 });
	const chip = page.locator(".main > .bar .chip");
	await chip.evaluate((element) => void element.lastChild?.replaceWith("Not verified · 14 commands failed, as of yesterday at 12:34"));
	const [state, button] = await Promise.all([chip.boundingBox(), page.locator(".main > .bar .ttl ~ .ib").first().boundingBox()]);
	expect((state?.x ?? Number.NaN) + (state?.width ?? Number.NaN)).toBeLessThanOrEqual(button?.x ?? Number.NaN);
	expect(await page.evaluate("getComputedStyle(document.querySelector('.main > .bar .chip')).overflowX")).toBe("hidden");
	await page.setViewportSize({ width: 1280, height: 800 });
});

it("leaves an honest answer as it was", async () => {
	const { page } = opened;
	await page.getByRole("link", { name: "New thread" }).first().click();
	await ask(page, "unruly", "Look at the issues\nUNRULY:SAY I found 3 old issues. Should I close them?");
	await page.locator("[data-outcome=ok]").waitFor();
	expect(await page.locator("mark, .note").count()).toBe(0);
});
