/**
 * Takes the pictures under docs/screens: `npm run screens`. Real app and bridge, an agent that plays stories; two themes, two widths, some also
 * small and large. `npm run screens plans` takes those of plans alone.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { repositoryRoot, writeProviders } from "../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { openParts } from "../support/page/open-parts.ts";
import { ask, openPage } from "../support/page/opened-page.ts";
import { takePlanScreens } from "./plan-screens.ts";
import { type StoryName, storiesFile, story } from "./screen-stories.ts";

const folder = join(repositoryRoot, "docs", "screens");
const agent = "sample";
const usual = [
	{ width: 1280, height: 800 },
	{ width: 390, height: 844 },
] as const;
/** The smallest that has to work, and the largest. */
const edges = [
	{ width: 320, height: 640 },
	{ width: 3840, height: 2160 },
] as const;

async function shoot(page: Page, name: string, themes: readonly ("light" | "dark")[], sizes: readonly { width: number; height: number }[]) {
	// Nothing is pointed at.
	await page.mouse.move(0, 0);
	for (const colorScheme of themes) {
		for (const size of sizes) {
			await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
			await page.setViewportSize(size);
			// Waits for fonts and the final layout.
			await page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))");
			await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${size.width}.png`) });
		}
	}
	await page.setViewportSize(usual[0]);
}

const everywhere = (page: Page, name: string) => shoot(page, name, ["light", "dark"], usual);
const atTheEdges = (page: Page, name: string) => shoot(page, name, ["light"], edges);

await mkdir(folder, { recursive: true });
await takePlanScreens(everywhere);
if (process.argv[2] === "plans") process.exit();
await using opened = await openPage({
	prepare: async (home) => {
		const stories = join(home.path, "stories.json");
		await writeFile(stories, storiesFile());
		await writeProviders(home, [{ ...unrulyAgent(agent, { UNRULY_STORIES: stories }), name: "Sample agent" }]);
	},
});
const { page } = opened;
const play = (name: StoryName) => ask(page, agent, story(name).prompt, story(name).required);

await page.getByRole("button", { name: /Create my first file/ }).waitFor();
await everywhere(page, "01-first-run");
await atTheEdges(page, "01-first-run");
await page.getByRole("button", { name: /Create my first file/ }).click();
await page.locator("[data-outcome=ok]").getByText("Checked", { exact: true }).waitFor();

await play("earlier");
await page.locator("[data-outcome=ok]").getByText("Checked", { exact: true }).waitFor();
await play("cancelled");
await page.locator(".md").getByText("40 of 312").waitFor();
await page.keyboard.press("Escape");
await page.keyboard.press("Escape");
await page.locator("[data-outcome=off]").waitFor();

await play("finished");
const finished = page.locator("[data-outcome=ok]");
await finished.getByText("Checked", { exact: true }).nth(1).waitFor();
await finished.getByRole("button", { name: "report.md" }).click();
await page.getByRole("heading", { name: "Backing up a live SQLite database" }).last().waitFor();
await everywhere(page, "05-finished");
await atTheEdges(page, "05-finished");

await play("missing");
await page.locator("[data-outcome=miss]").waitFor();
await everywhere(page, "06-file-missing");
await play("failed");
await page.locator("[data-outcome=bad]").waitFor();
await everywhere(page, "06-failed");
await play("running");
await page.locator(".md").getByText("translated", { exact: true }).waitFor();
await everywhere(page, "03-running");
await play("asking");
await page.locator("[data-approval]").waitFor();
await everywhere(page, "04-approval");
await atTheEdges(page, "04-approval");
await page.goto(`${opened.url}#/`);
await page.getByRole("heading", { name: "Running", exact: true }).waitFor();
await everywhere(page, "02-now");
await atTheEdges(page, "02-now");
// One of its runs has failed, so it is not ready until it passes a test.
await page.goto(`${opened.url}#/settings/diagnostics`);
await page.getByRole("button", { name: "Test Sample agent" }).click();
await page.getByRole("heading", { name: "Ready to go" }).waitFor();
await page.goto(`${opened.url}#/new`);
await page.getByRole("button", { name: /^Agent:/ }).click();
await page.locator("[role=option]").first().waitFor();
await everywhere(page, "09-composer");
await page.goto(`${opened.url}#/settings/diagnostics`);
await page.getByText("System checks").waitFor();
await everywhere(page, "08-doctor");
await page.goto(`${opened.url}#/`);
await page.locator(".side [data-thread]").filter({ hasText: "Convert the survey" }).click();
await page.locator("[data-outcome=bad]").waitFor();
await page.keyboard.press("Control+l");
await page.getByText("Saved locally").waitFor();
await everywhere(page, "07-run-log");
{
	const parts = await opened.another();
	await using _shown = await openParts(parts);
	await everywhere(parts, "00-parts");
	await parts.close();
}

await page.goto(`${opened.url}#/`);
await page.locator(".side [data-thread]").filter({ hasText: "Translate the handbook" }).click();
await page.locator(".md").getByText("translated", { exact: true }).waitFor();
process.kill(opened.app.bridgePid, "SIGKILL");
await page.locator("[data-outcome=unk]").waitFor({ timeout: 60_000 });
await everywhere(page, "06-unknown");
await opened.killApp();
await page.getByText("App not responding").waitFor();
await everywhere(page, "06-connection-lost");
// The bridge lives on; the next app takes it over and ends with it.
await opened.restart();
