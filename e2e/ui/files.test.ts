import { createHash } from "node:crypto";
import { readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { syncedFiles } from "../support/app/thread-folder.ts";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { samplePdf, samplePng, sampleWav, sampleWebm } from "../support/machine/sample-files.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";

const LINE = "a line of the log\n";
const FILES: Readonly<Record<string, string | Buffer>> = {
	"report.md": "# The report\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
	"data.csv": 'name,amount\n"Ada, Countess",12.5\n',
	"src/main.ts": "// begins\nexport const answer: number = 42;\n",
	"page.html": "<h1>A page</h1><script>document.title='owned'</script>",
	"photo.png": samplePng(),
	"paper.pdf": samplePdf("Hello from a PDF"),
	"tone.wav": sampleWav(),
	"clip.webm": sampleWebm,
	"broken.png": "no picture at all",
	"broken.mp4": "no video at all",
	NOTES: "plain words without a suffix",
	"blob.bin": Buffer.from([0, 1, 2, 0, 255]),
	"slides.pptx": "no preview for these",
};

/** A program for the `script` agent that writes them. */
const program = [
	...Object.entries(FILES).map(
		([path, content]) => `await tools.files.write({ path: "${path}", base64: "${Buffer.from(content).toString("base64")}" });`,
	),
	`await tools.files.write({ path: "long.log", text: ${JSON.stringify(LINE)}.repeat(80_000) });`,
	'return "done";',
].join("\n");

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage({ agents: [unrulyAgent()] });
	await ask(opened.page, "script", program);
	await opened.page.locator("[data-outcome=ok]").waitFor();
	await opened.page.getByRole("button", { name: /^Files/ }).click();
});
afterAll(() => opened[Symbol.asyncDispose]());

const panel = (page: Page) => page.getByRole("complementary", { name: "Files" });

async function show(path: string): Promise<Locator> {
	await panel(opened.page).locator(`[data-file="${path}"]`).click();
	return opened.page.getByRole("region", { name: `Preview of ${path}` }).first();
}

/** Of the one element that shows a file. */
function property(preview: Locator, selector: string, name: string): Promise<unknown> {
	return preview.locator(selector).evaluate((element: object, key) => Reflect.get(element, key), name);
}

it("shows each kind of file as what it is", async () => {
	const { page, faults } = opened;
	await (await show("report.md")).getByRole("heading", { name: "The report" }).waitFor();
	const digest = createHash("sha256")
		.update(FILES["report.md"] ?? "")
		.digest("hex");
	expect(
		await panel(page)
			.getByText(`SHA-256 ${digest.slice(0, 12)}…`)
			.getAttribute("title"),
	).toBe(digest);
	await panel(page).getByText("text/markdown").waitFor();
	await (await show("data.csv")).getByRole("cell", { name: "Ada, Countess" }).waitFor();
	const code = await show("src/main.ts");
	await code.locator(".code-key").getByText("const").waitFor();
	expect(await code.locator("pre").textContent()).toBe(FILES["src/main.ts"]);
	await (await show("page.html")).frameLocator("iframe").getByRole("heading", { name: "A page" }).waitFor();
	const photo = await show("photo.png");
	await expect.poll(() => property(photo, "img", "naturalWidth")).toBe(4);
	const tone = await show("tone.wav");
	await expect.poll(() => property(tone, "audio", "duration")).toBe(1);
	const clip = await show("clip.webm");
	await expect.poll(() => property(clip, "video", "videoWidth")).toBe(32);
	await show("paper.pdf");
	// The browser's own viewer, in a separate process, has laid a page out.
	const pages = "Number.parseFloat(document.querySelector('#sizer')?.style.width ?? '0')";
	const widths = () => Promise.all(page.frames().map((frame) => frame.evaluate<number>(pages).catch(() => 0)));
	await expect.poll(async () => Math.max(...(await widths())), { timeout: 10_000 }).toBeGreaterThan(200);
	expect(await page.title()).not.toContain("owned");
	expect(faults.filter((fault) => !fault.includes("sandboxed"))).toEqual([]);
});

it("says so where it cannot show a file or only its begin, and offers the download", async () => {
	const { page } = opened;
	for (const [path, said] of [
		["broken.png", "Can’t preview this file"],
		["broken.mp4", "Can’t preview this file"],
		["blob.bin", "No preview for this kind of file."],
		["slides.pptx", "No preview for this kind of file."],
	] as const) {
		const preview = await show(path);
		await preview.getByText(said).waitFor();
		const coming = page.waitForEvent("download");
		await preview.getByRole("link", { name: "Download", exact: true }).click();
		const download = await coming;
		expect(download.suggestedFilename()).toBe(path);
		expect(await readFile(await download.path())).toEqual(Buffer.from(FILES[path] ?? ""));
	}
	await (await show("NOTES")).getByText("plain words without a suffix").waitFor();
	const long = await show("long.log");
	await long.getByText("Showing the first 1 MB of 1.4 MB").waitFor();
	expect((await long.locator("pre").textContent())?.startsWith(LINE)).toBe(true);
});

it("gives all files of the run as a zip or a tar", async () => {
	const { page } = opened;
	for (const [name, begin, at] of [
		["As zip", "PK", 0],
		["As tar", "ustar", 257],
	] as const) {
		await panel(page).getByRole("button", { name: "Download all", exact: true }).click();
		const coming = page.waitForEvent("download");
		await page.getByRole("menuitem", { name }).click();
		const bytes = await readFile(await (await coming).path());
		expect(bytes.toString("latin1", at, at + begin.length)).toBe(begin);
		for (const path of Object.keys(FILES)) expect(bytes.includes(path)).toBe(true);
	}
});

it("[T4-70] shows this run's files first and earlier ones by run, with what was refused, what was edited, and how saving went", async () => {
	const { page, home } = opened;
	await ask(page, "unruly", "Two rounds\nUNRULY:WRITE a.md first ;; WRITE b.md other");
	await page.locator("[data-outcome=ok]").waitFor();
	await page.getByRole("textbox", { name: "Message" }).fill("UNRULY:WRITE a.md second ;; SYMLINK way-out.md");
	await page.keyboard.press("Enter");
	await page.locator("[data-outcome=mixed]").getByText("Succeeded, but 1 file was rejected.").waitFor();
	await page.getByRole("button", { name: /^Files/ }).click();
	const sections = panel(page).locator("section.sec");
	await expect.poll(() => sections.count()).toBe(2);
	const [now, before] = [sections.nth(0), sections.nth(1)];
	await now.getByRole("heading", { name: "This run" }).waitFor();
	await now.getByText("Delivered files saved, 1 rejected").waitFor();
	await now.getByText("symbolic link").waitFor();
	await now.getByText("Checked", { exact: true }).waitFor();
	await before.getByText("Earlier version").waitFor();
	// Two files written in one millisecond are listed by name.
	expect((await before.locator("[data-file]").allTextContents()).toSorted()).toEqual(["a.md", "b.md"]);
	await before.locator('[data-file="a.md"]').click();
	await page.locator("section.prev").getByText("first", { exact: true }).waitFor();
	await now.locator('[data-file="a.md"]').click();
	await page.locator("section.prev").getByText("second", { exact: true }).waitFor();
	await page.getByRole("button", { name: "Close preview" }).click();
	await page.locator("section.prev").waitFor({ state: "detached" });
	await page.goBack();
	await page.locator("section.prev").getByText("second", { exact: true }).waitFor();

	const current =
		Object.keys(await syncedFiles(home))
			.find((path) => path.endsWith("/b.md"))
			?.replace(/b\.md$/, "a.md") ?? "";
	await writeFile(join(home.xworkmate, "threads", current), "mine now");
	await page.reload();
	// The panel and its file are open as before.
	await page.locator("section.prev").getByText("mine now", { exact: true }).waitFor();
	await now.getByText("Edited", { exact: true }).waitFor();
	await rm(join(home.xworkmate, "threads", current));
	await now.getByText("Missing from folder").waitFor();
	// The bridge keeps its own copy.
	await now.locator('[data-file="a.md"]').click();
	await page.locator("section.prev").getByText("second", { exact: true }).waitFor();
});

it("names what a download of all files would lack, and gives the rest with the bridge's copy of a missing one", async () => {
	const { page, home } = opened;
	const path = Object.keys(await syncedFiles(home)).find((each) => each.endsWith("/b.md")) ?? "";
	const inFolder = join(home.xworkmate, "threads", path);
	await rm(inFolder);
	await symlink("elsewhere.md", inFolder);
	// The bridge would give its copy of a file whose place a link has, so that copy is lost too.
	const kept = join(home.xworkmate, "bridge", "artifacts");
	for (const run of await readdir(kept)) await rm(join(kept, run, "b.md"), { force: true });
	await page.getByRole("button", { name: "Close preview" }).click();
	const trigger = panel(page).getByRole("button", { name: "Download all", exact: true });
	await trigger.click();
	await page.getByRole("menuitem", { name: "As tar" }).click();
	const dialog = page.getByRole("alertdialog", { name: "Some files can’t be downloaded now" });
	await dialog.getByText("b.md", { exact: true }).waitFor();
	expect(await dialog.getByRole("listitem").allTextContents()).toEqual(["b.md A link is in its place, so the file was not opened."]);
	const coming = page.waitForEvent("download");
	await dialog.getByRole("button", { name: "Download the rest (1 file)" }).click();
	const bytes = await readFile(await (await coming).path(), "latin1");
	expect([bytes.includes("second"), bytes.includes("b.md")]).toEqual([true, false]);
	await dialog.waitFor({ state: "detached" });
	expect(await page.evaluate("document.activeElement === document.body")).toBe(false);
});
