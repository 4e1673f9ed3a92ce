import { afterAll, beforeAll, expect, it } from "vitest";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage({ agents: [unrulyAgent()] });
});
afterAll(() => opened[Symbol.asyncDispose]());

const TURNS = 9;
const code = `\`\`\`ts\n${Array.from({ length: 60 }, (_, index) => `const line${index} = ${index};`).join("\n")}\n\`\`\``;
const said = (text: string) => `UPDATE ${JSON.stringify({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } })}`;

it("[D19] prints a thread whole: every turn and all of its code, without list and composer, and no blank page", async () => {
	const { page } = opened;
	await ask(page, "unruly", `Question 0\nUNRULY:${said(`Answer 0\n\n${code}`)}`);
	for (let turn = 1; turn < TURNS; turn++) {
		await page
			.locator("[data-outcome]")
			.nth(turn - 1)
			.waitFor();
		await page.getByRole("textbox", { name: "Message" }).fill(`Question ${turn}\nUNRULY:${said(`Answer ${turn}\n\n${code}`)}`);
		await page.keyboard.press("Enter");
	}
	await page
		.locator("[data-outcome]")
		.nth(TURNS - 1)
		.waitFor();

	const pdf = await page.pdf({ format: "A4" });
	const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
	// 60 lines of code and some words a turn: less than a page and a half each, and more than half a page.
	expect(pages).toBeGreaterThan(TURNS / 2);
	expect(pages).toBeLessThan(TURNS * 2);

	await page.emulateMedia({ media: "print" });
	await page.evaluate("dispatchEvent(new Event('beforeprint'))");
	const height = (await page.evaluate("document.documentElement.scrollHeight")) as number;
	// 297 mm at 96 dots an inch, less the margins.
	expect(Math.abs(pages - height / 1122)).toBeLessThan(pages / 2);
	for (let turn = 0; turn < TURNS; turn++) {
		await page.locator(".me").nth(turn).getByText(`Question ${turn}`).waitFor();
		await page.locator(".turn").nth(turn).getByText(`Answer ${turn}`).waitFor();
		expect(await page.locator(".turn").nth(turn).locator("pre").textContent()).toContain("line59 = 59");
	}
	for (const away of [".side", ".dock", ".done-acts"]) expect(await page.locator(away).first().isVisible(), away).toBe(false);
	const clipped = await page.evaluate(`[...document.querySelectorAll(".frame, .app, .main, .scroll, .read, pre")]
		.filter((box) => box.scrollHeight > box.clientHeight + 1 && getComputedStyle(box).overflowY !== "visible").map((box) => box.className)`);
	expect(clipped, "what is cut off on paper").toEqual([]);

	await page.evaluate("document.documentElement.dataset.theme = 'dark'");
	expect(await page.evaluate("getComputedStyle(document.querySelector('.md')).color"), "dark words on white paper").toMatch(
		/rgb\((?:\d|[1-5]\d), /,
	);
	await page.emulateMedia({ media: null });
	await page.evaluate("dispatchEvent(new Event('afterprint'))");
	await page.getByRole("button", { name: "Show all 60 lines" }).first().waitFor();
});
