// For e2e/ui/, once the bridge has typed tools and the calendar example.
import { expect, it } from "vitest";
import { openPage } from "../support/page/opened-page.ts";

it("leads from an empty home without agent or key to a first approval and its receipts in three presses, and a reload shows the same", async () => {
	await using opened = await openPage();
	const { page, faults } = opened;
	await page.getByRole("button", { name: /^Send it/ }).click();
	const request = page.locator("[data-approval]");
	await request.getByRole("heading", { name: "Script wants to make a change" }).waitFor();
	expect(await request.locator(".tid").textContent()).toBe("calendar.events.create");
	expect(await request.textContent()).not.toContain("The tool says:");
	await request.getByRole("button", { name: /Allow once/ }).click();
	const outcome = page.locator("[data-outcome=ok]");
	await outcome.getByRole("heading", { name: "1 action completed" }).waitFor();
	expect(await page.evaluate("document.activeElement.tagName"), "what has the focus").not.toBe("BODY");
	await page.getByRole("link", { name: "See the receipts" }).click();
	const row = page.getByRole("button", { name: /^Done.*calendar\.events\.create/ });
	await row.click();
	const steps = page.getByRole("complementary", { name: "One call" }).locator(".trail li b");
	await expect.poll(() => steps.allTextContents()).toEqual(["Requested", "Allowed once by you", "Started", "Succeeded"]);
	await page.getByRole("button", { name: "Verify" }).click();
	await page.getByText("Checked 4 receipts in 1 run: no changes found.").waitFor();
	await page.reload();
	await page.getByRole("complementary", { name: "One call" }).getByText("Succeeded").waitFor();
	expect(faults).toEqual([]);
});
