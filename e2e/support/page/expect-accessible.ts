import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { z } from "zod";

const Findings = z.array(
	z.object({
		id: z.string(),
		impact: z.string().nullish(),
		nodes: z.array(z.object({ html: z.string(), failureSummary: z.string().nullish() })),
	}),
);

/** Serious and critical findings, in words. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
	// Through the protocol, not as a script of the page: its policy allows none.
	await page.evaluate(axe.source);
	const result: unknown = await page.evaluate("axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)");
	return Findings.parse(result)
		.filter(({ impact }) => impact === "serious" || impact === "critical")
		.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ""}`));
}

/** In light and dark, wide and narrow: no serious finding, and the page does not scroll sideways. */
export async function expectAccessible(page: Page): Promise<void> {
	for (const colorScheme of ["light", "dark"] as const) {
		await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
		for (const width of [1280, 390]) {
			await page.setViewportSize({ width, height: 844 });
			expect(await seriousFindings(page), `${colorScheme} ${width}`).toEqual([]);
			// Nothing but code and tables scrolls sideways.
			expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), `${colorScheme} ${width} scrolls sideways`).toBe(
				true,
			);
		}
	}
	await page.setViewportSize({ width: 1280, height: 800 });
}
