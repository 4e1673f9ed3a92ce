import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { samplePdf, samplePng } from "../support/machine/sample-files.ts";
import { expectAccessible } from "../support/page/expect-accessible.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";

/** A program for the `script` agent that writes them. */
const written = (files: Readonly<Record<string, string | Buffer>>) =>
	Object.entries(files)
		.map(([path, content]) => `await tools.files.write({ path: "${path}", base64: "${Buffer.from(content).toString("base64")}" });`)
		.join("\n");

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage();
	const { page } = opened;
	page.setDefaultTimeout(10_000);
	await ask(page, "script", `${written({ "first.png": samplePng(), "earlier.txt": "said before" })}\nreturn "one";`);
	await page.locator("[data-outcome=ok]").waitFor();
	const later = { "chart.png": samplePng(), "notes.md": "# Notes", "paper.pdf": samplePdf("Hello"), "empty.txt": "", "slides.pptx": "x" };
	await page.getByRole("textbox", { name: "Message" }).fill(`${written(later)}\nreturn "two";`);
	await page.keyboard.press("Enter");
	await page.locator("[data-outcome=ok]").nth(1).waitFor();
	await page.getByRole("button", { name: /^Files/ }).click();
	await page.locator('[data-file="first.png"]').waitFor();
});
afterAll(() => opened[Symbol.asyncDispose]());

const large = (page: Page, path: string) => page.getByRole("dialog", { name: path, exact: true });
const isOver = (page: Page, name: string) => page.getByRole("dialog").getByRole("button", { name }).getAttribute("aria-disabled");
const focus = (page: Page) => page.evaluate("document.activeElement?.ariaLabel");

/** The files that can be enlarged, in the panel's order. */
async function order(page: Page): Promise<readonly string[]> {
	const all = await page.evaluate<string[]>("[...document.querySelectorAll('.panel [data-file]')].map((one) => one.dataset.file)");
	return all.filter((path) => !["empty.txt", "slides.pptx"].includes(path));
}

it("an enlarged file has the thread's next and previous one, by buttons and arrow keys, and says which of how many it is", async () => {
	const { page, faults } = opened;
	const paths = await order(page);
	expect(paths.toSorted()).toEqual(["chart.png", "earlier.txt", "first.png", "notes.md", "paper.pdf"]);
	const [first = "", second = "", last = ""] = [paths[0], paths[1], paths.at(-1)];
	await page.locator(`[data-file="${first}"]`).click();
	await page.getByRole("button", { name: `Enlarge ${first}` }).click();
	await large(page, first).getByRole("status").getByText("1 of 5").waitFor();
	expect([await isOver(page, "Previous file"), await isOver(page, "Next file")]).toEqual(["true", "false"]);
	await page.keyboard.press("ArrowLeft");
	await large(page, first).getByRole("button", { name: "Next file" }).focus();
	await page.keyboard.press("Enter");
	await large(page, second).getByRole("status").getByText("2 of 5").waitFor();
	expect(await focus(page)).toBe("Next file");
	// On into the files of the earlier run.
	for (const path of paths.slice(2)) {
		await page.keyboard.press("ArrowRight");
		await large(page, path).waitFor();
	}
	// At the end, neither the key nor the button leads on, and the focus stays.
	await page.keyboard.press("ArrowRight");
	await page.keyboard.press("Enter");
	await large(page, last).getByRole("status").getByText("5 of 5").waitFor();
	expect([await isOver(page, "Next file"), await focus(page)]).toEqual(["true", "Next file"]);
	expect(faults).toEqual([]);
});

it("has no serious finding for any kind, and keeps its keys when the focused part of a file is replaced", async () => {
	const { page } = opened;
	const paths = await order(page);
	for (const path of paths.slice(0, -1).toReversed()) {
		await page.keyboard.press("ArrowLeft");
		await large(page, path).waitFor();
		await expectAccessible(page);
	}
	const at = paths.indexOf("chart.png");
	for (const path of paths.slice(1, at + 1)) {
		await page.keyboard.press("ArrowRight");
		await large(page, path).waitFor();
	}
	// The focus is on the image, which the next file replaces.
	await large(page, "chart.png").getByRole("button", { name: "Actual size" }).click();
	await page.keyboard.press("ArrowRight");
	await large(page, paths[at + 1] ?? "").waitFor();
	await page.keyboard.press("ArrowLeft");
	await large(page, "chart.png").waitFor();
	await page.keyboard.press("Escape");
	await page.getByRole("dialog").waitFor({ state: "detached" });
	// The panel shows the file that was looked at last.
	await page.getByRole("region", { name: "Preview of chart.png" }).waitFor();
	await expect.poll(() => focus(page)).toBe("Enlarge chart.png");
});
