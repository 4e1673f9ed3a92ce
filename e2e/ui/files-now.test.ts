import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { syncedFiles } from "../support/app/thread-folder.ts";
import { samplePdf, samplePng } from "../support/machine/sample-files.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";

const report = "# The report\n\n![The chart](img/chart%201.png)\n\n![far](https://elsewhere.example/pixel.png)\n";
const files: Readonly<Record<string, string | Buffer>> = {
	"report.md": report,
	"img/chart 1.png": samplePng(),
	"paper.pdf": samplePdf("Hello"),
	"empty.txt": "",
	"a name that is longer than most panels are wide, with its ending at the end.csv": "a,b\n1,2\n",
};
const program = [
	...Object.entries(files).map(
		([path, content]) =>
			`await tools.files.write({ path: ${JSON.stringify(path)}, base64: "${Buffer.from(content).toString("base64")}" });`,
	),
	'return "done";',
].join("\n");

let opened: OpenedPage;
let folder: string;
beforeAll(async () => {
	opened = await openPage();
	const { page, home } = opened;
	await ask(page, "script", program);
	await page.locator("[data-outcome=ok]").waitFor();
	// A message that delivers nothing: the files are those of the thread all the same.
	await page.getByRole("textbox", { name: "Message" }).fill('return "and nothing more"');
	await page.keyboard.press("Enter");
	await page.locator("[data-outcome=ok]").nth(1).waitFor();
	const synced = Object.keys(await syncedFiles(home)).find((path) => path.endsWith("/report.md")) ?? "";
	folder = join(home.xworkmate, "threads", synced, "..");
});
afterAll(() => opened[Symbol.asyncDispose]());

const panelOf = (page: Page) => page.getByRole("complementary", { name: "Files" });
const rowOf = (page: Page, path: string) =>
	panelOf(page)
		.locator("li.file")
		.filter({ has: page.locator(`[data-file="${path}"]`) });
const previewOf = (page: Page, path: string) => page.getByRole("region", { name: `Preview of ${path}` }).first();

/** Names of a bar's controls that are clipped by the panel or the window, or that overlap. Runs in the page. */
const CUT_OFF = `(bar) => {
	const room = bar.getBoundingClientRect();
	const rect = (one) => one.getBoundingClientRect();
	const shown = [...bar.querySelectorAll("button, a, h2, .seg, .ttl")].filter((one) => rect(one).width > 0);
	const beyond = shown.filter((one) => rect(one).left < room.left - 0.5 || rect(one).right > Math.min(room.right, innerWidth) + 0.5);
	const buttons = shown.filter((one) => one.matches("button, a"));
	const over = buttons.filter((one, at) => {
		const before = at === 0 ? undefined : rect(buttons[at - 1]);
		return before !== undefined && Math.abs(before.top - rect(one).top) < 4 && rect(one).left < before.right - 0.5;
	});
	return [...beyond, ...over].map((one) => innerWidth + ": " + (one.getAttribute("aria-label") ?? one.textContent));
}`;
const cutOff = (page: Page, bar: string) => page.evaluate<readonly string[]>(`(${CUT_OFF})(document.querySelector("${bar}"))`);

it("[D9] files stay listed and can all be downloaded after a message that delivered none, and the counts agree", async () => {
	const { page } = opened;
	await page.getByRole("button", { name: /^Files/ }).click();
	await expect.poll(() => page.getByRole("button", { name: /^Files/ }).textContent()).toContain(String(Object.keys(files).length));
	await panelOf(page)
		.getByText(`${Object.keys(files).length} files`)
		.waitFor();
	await panelOf(page).getByRole("button", { name: "Download all", exact: true }).waitFor();
	expect(await panelOf(page).locator("[data-file]").first().textContent()).toBe("paper.pdf");
});

it("[D9] a file that is edited, deleted or put back on disk reads so without a press, and its preview is what is on disk", async () => {
	const { page } = opened;
	const row = rowOf(page, "report.md");
	await row.getByText("Checked", { exact: true }).waitFor();
	await writeFile(join(folder, "report.md"), "# My own words\n");
	await row.getByText("Edited", { exact: true }).waitFor();
	await page.locator('[data-file="report.md"]').click();
	await previewOf(page, "report.md").getByRole("heading", { name: "My own words" }).waitFor();
	await writeFile(join(folder, "report.md"), "# And once more\n");
	await previewOf(page, "report.md").getByRole("heading", { name: "And once more" }).waitFor();
	await rm(join(folder, "report.md"));
	await row.getByText("Missing from folder").waitFor();
	await writeFile(join(folder, "report.md"), report);
	await row.getByText("Checked", { exact: true }).waitFor();
});

it("[D28] a report shows the images of its own run and nothing from elsewhere, and an empty file says that it is empty", async () => {
	const { page, faults } = opened;
	const preview = previewOf(page, "report.md");
	const image = preview.getByRole("img", { name: "The chart" });
	await expect.poll(() => image.evaluate((element: object) => Reflect.get(element, "naturalWidth"))).toBe(4);
	expect(await preview.locator("img").count()).toBe(1);
	await page.locator('[data-file="empty.txt"]').click();
	await previewOf(page, "empty.txt").getByText("This file is empty.").waitFor();
	expect(faults).toEqual([]);
});

it("arrows go from file to file, and a click on an image shows it large", async () => {
	const { page } = opened;
	await page.locator('[data-file="paper.pdf"]').click();
	await previewOf(page, "paper.pdf").getByRole("button", { name: "Previous file" }).waitFor();
	expect(await previewOf(page, "paper.pdf").getByRole("button", { name: "Previous file" }).isDisabled()).toBe(true);
	const order = await page.evaluate<string[]>("[...document.querySelectorAll('.panel [data-file]')].map((one) => one.dataset.file)");
	await previewOf(page, "paper.pdf").getByRole("button", { name: "Next file" }).click();
	for (const path of order.slice(1)) {
		await previewOf(page, path).waitFor();
		await page.keyboard.press("ArrowRight");
	}
	await previewOf(page, order.at(-1) ?? "").waitFor();
	await page.keyboard.press("ArrowLeft");
	await previewOf(page, order.at(-2) ?? "").waitFor();
	await page.locator('[data-file="img/chart 1.png"]').click();
	const enlarge = page.getByRole("button", { name: "Enlarge img/chart 1.png" });
	await enlarge.click();
	const large = page.getByRole("dialog", { name: "img/chart 1.png" });
	await large.getByRole("button", { name: "Actual size" }).click();
	await page.keyboard.press("Escape");
	await large.waitFor({ state: "hidden" });
	await expect.poll(() => page.evaluate("document.activeElement?.ariaLabel")).toBe("Enlarge img/chart 1.png");
});

it("the panel is made wider and narrower by keys and by dragging, and keeps its width", async () => {
	const { page } = opened;
	await page.getByRole("button", { name: "Close preview" }).click();
	const edge = page.getByRole("separator", { name: "Width of the files panel" });
	const width = async () => Math.round((await panelOf(page).boundingBox())?.width ?? 0);
	const first = await width();
	await edge.focus();
	await page.keyboard.press("ArrowLeft");
	await expect.poll(width).toBe(first + 24);
	await expect.poll(() => edge.getAttribute("aria-valuenow")).toBe(String(first + 24));
	await page.keyboard.press("Home");
	await expect.poll(width).toBe(280);
	const box = await panelOf(page).boundingBox();
	if (box === null) throw new Error("there is no panel");
	await page.mouse.move(box.x + 1, 400);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width - 400, 420, { steps: 4 });
	await page.mouse.up();
	await expect.poll(width).toBe(400);
	await page.reload();
	await panelOf(page).waitFor();
	await expect.poll(width).toBe(400);
	await edge.dblclick();
	await expect.poll(width).toBe(first);
});

it("[D6] the panel's controls are whole at every width, with the list alone and with a preview", async () => {
	const { page } = opened;
	const cut: string[] = [];
	for (const width of [320, 390, 500, 760, 761, 900, 1024, 1280, 1440, 1600, 1920, 2560, 3840]) {
		await page.setViewportSize({ width, height: 800 });
		await panelOf(page).waitFor();
		cut.push(...(await cutOff(page, ".panel > .bar")));
		await page.locator('[data-file="report.md"]').click();
		await previewOf(page, "report.md").waitFor();
		if (width > 760) cut.push(...(await cutOff(page, ".panel > .bar")));
		cut.push(...(await cutOff(page, ".prev > .bar")));
		expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
		const close = page.locator(width > 760 ? '.prev [aria-label="Close preview"]' : '.prev [aria-label="Back to files"]');
		await close.click();
		await page.locator("section.prev").waitFor({ state: "detached" });
	}
	expect(cut).toEqual([]);
});
