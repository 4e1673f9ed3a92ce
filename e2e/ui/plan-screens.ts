import type { Page } from "playwright-core";
import { openPage } from "../support/page/opened-page.ts";
import { makePlans, sentence, startPlanServices, writePlanAgent } from "./plan-stories.ts";

/** The pictures of plans, the review pane, the inbox and the channels. @param shoot takes one in each theme and width */
export async function takePlanScreens(shoot: (page: Page, name: string) => Promise<void>): Promise<void> {
	await using services = await startPlanServices();
	await using opened = await openPage({ prepare: writePlanAgent, env: services.env });
	const { page, url } = opened;
	const open = async (hash: string, shown: string) => {
		await page.goto(`${url}${hash}`);
		await page.getByRole("heading", { name: shown }).first().waitFor();
	};
	await open("#/plans", "Plans");
	const { orders, trip } = await makePlans(opened.home, services);
	await open("#/plans", "Plans");
	await page.getByText("Supplier update").first().waitFor();
	await shoot(page, "10-plans");
	await open(`#/plans/${trip}`, "Beaches in Bali");
	await page.getByText("Sanur").first().waitFor();
	await shoot(page, "11-plan");
	await open(`#/plans/${orders}?log`, "Supplier update");
	await page.locator("li.ev").first().waitFor();
	await shoot(page, "12-plan-log");
	for (const [index, channel] of ["email", "whatsapp", "discord"].entries()) {
		await open(`#/plans/${orders}/${orders}-1/review/${orders}-1-${index + 1}`, "Supplier update");
		const words = "Two of 31 open orders";
		const place = channel === "email" ? page.frameLocator("iframe") : page;
		await place.getByText(words).first().waitFor();
		await shoot(page, `13-review-${channel}`);
	}
	await open("#/plans/new", "New plan");
	await page.getByRole("textbox", { name: "What should be done, and where should it go?" }).fill(sentence);
	await page.getByRole("button", { name: "Create draft" }).click();
	await page.getByRole("heading", { name: "Draft" }).waitFor();
	await page
		.getByText(/^(Mon|Fri) /)
		.first()
		.waitFor();
	await shoot(page, "14-new-plan");
	await open("#/inbox", "Inbox");
	await page.locator(".msgs a").first().click();
	await page.getByText("Auckland").first().waitFor();
	await shoot(page, "15-inbox");
	await open("#/settings/channels", "Channels");
	await page.getByText("tested", { exact: false }).first().waitFor();
	await shoot(page, "16-channels");
}
