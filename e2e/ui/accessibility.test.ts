import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { ask, type OpenedPage, openPage } from "../support/opened-page.ts";
import { unrulyAgent } from "../support/providers.ts";

const Findings = z.array(
	z.object({
		id: z.string(),
		impact: z.string().nullish(),
		nodes: z.array(z.object({ html: z.string(), failureSummary: z.string().nullish() })),
	}),
);

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage({ agents: [unrulyAgent()] });
});
afterAll(() => opened[Symbol.asyncDispose]());

/** Serious and critical findings, in words. */
async function findings(page: Page): Promise<readonly string[]> {
	// Through the protocol, not as a script of the page: its policy allows none.
	await page.evaluate(axe.source);
	const result: unknown = await page.evaluate("axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)");
	return Findings.parse(result)
		.filter(({ impact }) => impact === "serious" || impact === "critical")
		.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ""}`));
}

async function both(page: Page): Promise<void> {
	for (const colorScheme of ["light", "dark"] as const) {
		await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
		for (const width of [1280, 390]) {
			await page.setViewportSize({ width, height: 844 });
			expect(await findings(page), `${colorScheme} ${width}`).toEqual([]);
			// Nothing but code and tables scrolls sideways.
			expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), `${colorScheme} ${width} scrolls sideways`).toBe(
				true,
			);
		}
	}
	await page.setViewportSize({ width: 1280, height: 800 });
}

it("has no serious finding on the first page", async () => {
	await opened.page.getByRole("button", { name: /Make my first file/ }).waitFor();
	await both(opened.page);
});

it("has none with a request, a plan and tools", async () => {
	const { page } = opened;
	await ask(page, "unruly", "UNRULY:THINK so ;; PLAN ;; TOOL look ;; SAY **hi** `x` ;; ASK do it ;; WRITE out/report.md # hi");
	await page.locator("[data-approval]").waitFor();
	await both(page);
	await page.getByRole("button", { name: /Allow once/ }).click();
	await page.locator("[data-outcome=ok]").waitFor();
	await page.getByRole("button", { name: "out/report.md" }).click();
	await page.getByRole("region", { name: "Preview of out/report.md" }).first().waitFor();
	await both(page);
	await page.keyboard.press("Control+l");
	await page.getByText("Message saved").waitFor();
	await both(page);
});

it("has none on the other pages", async () => {
	const { page } = opened;
	for (const [hash, said] of [
		["#/", "Finished today"],
		["#/new", "What should come out?"],
		["#/settings/doctor", "What was found"],
		["#/settings/look", "Theme"],
		["#/settings/places", "Data folder"],
		["#/settings/log", "the bridge listens"],
		["#/settings/keys", "Ctrl N"],
		["#/parts", "Stage rail"],
	] as const) {
		await page.goto(opened.url + hash);
		await page.getByText(said).first().waitFor();
		await both(page);
	}
});
