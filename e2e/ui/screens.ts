/** Takes the pictures under docs/screens: `npm run screens`. Real app, bridge and agents; two themes, two widths. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { repositoryRoot } from "../support/bridge-process.ts";
import { ask, openPage } from "../support/opened-page.ts";
import { unrulyAgent } from "../support/providers.ts";

const folder = join(repositoryRoot, "docs", "screens");
const sizes = [
	{ width: 1280, height: 800 },
	{ width: 390, height: 844 },
] as const;

async function shoot(page: Page, name: string): Promise<void> {
	for (const colorScheme of ["light", "dark"] as const) {
		for (const size of sizes) {
			await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
			await page.setViewportSize(size);
			// Fonts and the last layout.
			await page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))");
			await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${size.width}.png`) });
		}
	}
	await page.setViewportSize(sizes[0]);
}

await mkdir(folder, { recursive: true });
await using opened = await openPage({ agents: [unrulyAgent("unruly")] });
const { page } = opened;
await page.getByRole("button", { name: /Make my first file/ }).waitFor();
await shoot(page, "01-first-run");
await page.getByRole("button", { name: /Make my first file/ }).click();
await page.locator("[data-outcome=ok]").getByText("Checked", { exact: true }).waitFor();
await page.locator("[data-outcome=ok]").getByRole("button", { name: "welcome.md" }).click();
await page.getByRole("heading", { name: "Welcome to XWorkmate" }).waitFor();
await shoot(page, "05-finished");

await ask(
	page,
	"unruly",
	"Slides for the site visit\nUNRULY:SAY The slides are ready and I saved the photos. ;; WRITE slides.html <h1>hi</h1>",
	["slides.html", "photos/*.jpg"],
);
await page.locator("[data-outcome=miss]").waitFor();
await shoot(page, "06-file-missing");
await ask(page, "unruly", "Convert the survey\nUNRULY:TOOL look at survey.txt ;; SAY I begin. ;; DIE 3");
await page.locator("[data-outcome=bad]").waitFor();
await shoot(page, "06-failed");
await ask(
	page,
	"unruly",
	"Translate the handbook\nUNRULY:THINK about terms ;; PLAN ;; TOOL scripts/translate.py ;; SAY Chapters 1 to 3 are **translated**. ;; HANG",
);
await page.locator(".md").getByText("translated").waitFor();
await shoot(page, "03-running");
await ask(
	page,
	"unruly",
	"Energy report\nUNRULY:TOOL readings.csv ;; SAY The table is clean. ;; ASK python3 -m pip install matplotlib==3.9.2",
);
await page.locator("[data-approval]").waitFor();
await shoot(page, "04-approval");
await page.goto(`${opened.url}#/`);
await page.getByRole("heading", { name: "Running", exact: true }).waitFor();
await shoot(page, "02-now");
await page.goto(`${opened.url}#/new`);
await page.getByRole("button", { name: /^Agent:/ }).click();
await page.locator("[role=option]").first().waitFor();
await shoot(page, "09-composer");
await page.goto(`${opened.url}#/settings/doctor`);
await page.getByText("What was found").waitFor();
await shoot(page, "08-doctor");
await page.goto(`${opened.url}#/`);
await page.locator(".side [data-thread]").filter({ hasText: "Convert the survey" }).click();
await page.locator("[data-outcome=bad]").waitFor();
await page.keyboard.press("Control+l");
await page.getByText("Message saved").waitFor();
await shoot(page, "07-run-log");
await page.goto(`${opened.url}#/parts`);
await page.getByText("Stage rail").first().waitFor();
await shoot(page, "00-parts");
