import { afterAll, beforeAll, expect, it } from "vitest";
import { syncedFiles } from "../support/app/thread-folder.ts";
import { waitUntil } from "../support/machine/wait-until.ts";
import type { OpenClawGateway } from "../support/openclaw/openclaw-gateway.ts";
import { gatewaySettings, ownGateway, requestsAbout, TURN_BOUND_MS } from "../support/openclaw/openclaw-suite.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";
import { sha256Of } from "../support/wire/served-artifacts.ts";

const scope = "$XWORKMATE_ARTIFACT_DIRECTORY";

let gateway: OpenClawGateway;
let opened: OpenedPage;

beforeAll(async () => {
	gateway = await ownGateway();
	// One run at a time, and every tool call that acts is a user's to allow.
	const settings = { XWORKMATE_OPENCLAW_MAX_ACTIVE: "1", XWORKMATE_ALLOW_PROVIDERS: "" };
	opened = await openPage({ env: { ...gatewaySettings(gateway), ...settings } });
	const { page } = opened;
	page.setDefaultTimeout(TURN_BOUND_MS);
	await page.getByRole("navigation", { name: "Threads" }).waitFor();
	await page.keyboard.press("Control+n");
	await page.getByRole("button", { name: /^Agent:/ }).click();
	await page.locator('[role=option][data-provider="openclaw"][aria-disabled=false]').waitFor();
	await page.keyboard.press("Escape");
});
afterAll(async () => {
	await opened[Symbol.asyncDispose]();
	await gateway.remove();
});

it("shows a turn queued behind another, asks on the page, and ends with files that were checked", async () => {
	const { page, home, faults } = opened;
	await ask(page, "openclaw", `The first report\nFAKE:RUN printf one > ${scope}/one.txt ;; SAY the first is written`);
	const request = page.locator("[data-approval]");
	await request.waitFor();
	expect(await request.textContent()).toContain("one.txt");

	await ask(page, "openclaw", `The second report\nFAKE:WRITE ${scope}/two.txt two ;; SAY the second is written`);
	await page.locator(".dock").getByText("Queued 1 of 1").waitFor();
	const side = page.locator(".side");
	await side.locator('[data-thread][data-state="queued"]').getByText("The second report").waitFor();

	await side.locator("[data-thread]").filter({ hasText: "The first report" }).click();
	await page.getByRole("button", { name: /Allow once/ }).click();
	const outcome = page.locator("[data-outcome=ok]");
	await outcome.getByText("Checked", { exact: true }).waitFor();
	await outcome.getByRole("button", { name: "one.txt" }).waitFor();
	await side.locator("[data-thread]").filter({ hasText: "The second report" }).click();
	await outcome.getByRole("button", { name: "two.txt" }).waitFor();
	await outcome.getByText("Checked", { exact: true }).waitFor();
	expect(Object.values(await syncedFiles(home)).sort()).toEqual([sha256Of("one"), sha256Of("two")].sort());

	await page.reload();
	await outcome.getByText("Checked", { exact: true }).waitFor();
	await page.locator(".md").getByText("the second is written").waitFor();
	expect(faults).toEqual([]);
});

it("says in plain words that OpenClaw went away under a run, and the same after a reload", async () => {
	const { page } = opened;
	await ask(page, "openclaw", "A report that is lost\nFAKE:HANG under-the-page");
	await waitUntil("the model to be asked", TURN_BOUND_MS, async () =>
		(await requestsAbout("under-the-page")).length > 0 ? true : undefined,
	);
	await gateway.kill();
	await gateway.start();
	const outcome = page.locator("[data-outcome=unk]");
	const say = async () => {
		await outcome.getByText("Outcome unknown: not everything arrived from OpenClaw").waitFor();
		await outcome.getByText("GATEWAY_LOST").waitFor();
		await outcome.getByRole("heading", { name: "Unknown", exact: true }).waitFor();
	};
	await say();
	await page.reload();
	await say();
	expect(await page.locator("[data-turn]").count()).toBe(1);
});
