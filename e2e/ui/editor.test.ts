import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { syncedFiles } from "../support/app/thread-folder.ts";
import { expectAccessible } from "../support/page/expect-accessible.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage();
	opened.page.setDefaultTimeout(10_000);
	await ask(opened.page, "script", 'await tools.files.write({ path: "report.md", text: "# hi" }); return "done";');
	await opened.page.locator("[data-outcome=ok]").waitFor();
});
afterAll(() => opened[Symbol.asyncDispose]());

it("a file is opened in the editor of the setting, which the page leads to while it is not set", async () => {
	const { page, home, faults } = opened;
	const [program, called] = [join(home.path, "editor.mjs"), join(home.path, "called.json")];
	writeFileSync(
		program,
		`import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(called)}, JSON.stringify(process.argv.slice(2)));`,
	);
	await page.getByRole("button", { name: "report.md", exact: true }).first().click();
	const press = page.getByRole("button", { name: "Open report.md in your editor" });
	await press.waitFor();
	await expectAccessible(page);
	await press.click();
	await page.getByText("No editor is set.").waitFor();
	const field = page.getByRole("textbox", { name: "Editor", exact: true });
	await field.fill(`"${process.execPath}" "${program}" {file}:{line}`);
	await field.press("Enter");
	await expect.poll(() => readFileSync(join(home.xworkmate, "config.json"), "utf8")).toContain("editor.mjs");
	await page.goBack();
	await press.click();
	const [path = ""] = Object.keys(await syncedFiles(home));
	await expect
		.poll(() => readFileSync(called, { encoding: "utf8", flag: "a+" }))
		.toBe(JSON.stringify([`${join(home.xworkmate, "threads", path)}:1`]));
	expect(faults).toEqual([]);
});
