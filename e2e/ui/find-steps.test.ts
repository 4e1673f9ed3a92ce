import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { expectAccessible } from "../support/page/expect-accessible.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";

const text = (words: string) => [{ type: "content", content: { type: "text", text: words } }];
const step = (toolCallId: string, title: string, output: string) =>
	`UPDATE ${JSON.stringify({ sessionUpdate: "tool_call", toolCallId, title, kind: "execute", status: "completed", content: text(output) })}`;

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage({ agents: [unrulyAgent()] });
	opened.page.setDefaultTimeout(10_000);
	const steps = ["THINK the walrus is a hard case", step("one", "npm test", "1 failed: walrus"), step("two", "ls", "otter.txt")];
	await ask(opened.page, "unruly", `Look into it\nUNRULY:${steps.join(" ;; ")} ;; SAY Done, see above.`);
	await opened.page.locator("[data-outcome=ok]").waitFor();
	// Whoever watched the run keeps its steps in sight; whoever comes later has them in one row.
	await opened.page.reload();
	await opened.page.getByText("1 thought", { exact: false }).waitFor();
});
afterAll(() => opened[Symbol.asyncDispose]());

const field = (page: Page) => page.getByRole("searchbox", { name: "Find in this thread" });
const count = (page: Page) => page.locator(".find-count");
const current = (page: Page) => page.evaluate("[...(CSS.highlights.get('find-current') ?? [])].map(String).join()");
/** The place that is shown, as far as it is laid out inside the window. */
const isSeen = (page: Page) =>
	page.evaluate(
		"[...(CSS.highlights.get('find-current') ?? [])].some((range) => { const { top, bottom, width } = range.getBoundingClientRect(); return width > 0 && top >= 0 && bottom <= innerHeight; })",
	);
/** Looks for a text that the message has, because it scripts the agent, and one step: the step is shown. */
async function findInStep(page: Page, wanted: string): Promise<void> {
	await field(page).fill(wanted);
	// The count of the text before it stays until this one was looked for.
	await expect.poll(() => current(page)).toBe(wanted);
	await expect.poll(() => count(page).textContent()).toMatch(/^\d of 2$/);
	if ((await count(page).textContent()) === "1 of 2") await page.keyboard.press("Enter");
	await expect.poll(() => count(page).textContent()).toBe("2 of 2");
	await expect.poll(() => isSeen(page)).toBe(true);
	expect(await current(page)).toBe(wanted);
}
const openRows = (page: Page) => page.locator(".turn details[open]").count();

it("finds a text in steps and thoughts that are folded away, and opens the one that is shown", async () => {
	const { page, faults } = opened;
	expect(await openRows(page)).toBe(0);
	await page.keyboard.press("Control+k");
	await page.getByRole("combobox", { name: "Search commands, threads and agents" }).fill("find in this");
	await page.keyboard.press("Enter");
	await findInStep(page, "1 failed: walrus");
	await expect.poll(() => openRows(page)).toBe(2);
	await expectAccessible(page);
	// The place before it is in the message: what was opened for the step is closed again.
	await page.keyboard.press("Shift+Enter");
	await expect.poll(() => openRows(page)).toBe(0);
	await page.keyboard.press("Enter");
	await expect.poll(() => isSeen(page)).toBe(true);
	await findInStep(page, "a hard case");
	// By its name alone a step is found in the folded row, and its own row stays as it was.
	await findInStep(page, "npm test");
	await expect.poll(() => openRows(page)).toBe(1);
	await field(page).fill("no such words");
	await expect.poll(() => count(page).textContent()).toBe("No results");
	await page.keyboard.press("Escape");
	expect(faults).toEqual([]);
});
