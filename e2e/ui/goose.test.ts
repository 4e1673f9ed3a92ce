import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { agentDefinition } from "../agents/definitions.ts";
import { installPrograms } from "../agents/install.ts";
import { syncedFiles } from "../support/app/thread-folder.ts";
import { writeProviders } from "../support/bridge/bridge-process.ts";
import { waitUntil } from "../support/machine/wait-until.ts";
import { type FakeModel, startFakeModel } from "../support/model/fake-model.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";
import { sha256Of } from "../support/wire/served-artifacts.ts";

let model: FakeModel;
let opened: OpenedPage;

beforeAll(async () => {
	await installPrograms(["goose"]);
	model = await startFakeModel();
	opened = await openPage({
		prepare: (home) => writeProviders(home, [agentDefinition("goose", { modelUrl: model.url, home: join(home.path, "goose") })]),
	});
}, 120_000);
afterAll(async () => {
	await opened[Symbol.asyncDispose]();
	await model[Symbol.asyncDispose]();
});

it("lets a real agent write the file after a person allowed it on the page, checks it, and goes on in a second turn", async () => {
	const { page, home, faults } = opened;
	await ask(page, "goose", "Write the report\nFAKE:WRITE $XWORKMATE_ARTIFACT_DIRECTORY/report.md # Written by goose");
	const request = page.locator("[data-approval]");
	await request.waitFor();
	expect(await request.textContent()).toContain("report.md");
	await page.getByRole("button", { name: /Allow once/ }).click();
	const outcome = page.locator("[data-outcome=ok]");
	await outcome.getByText("Checked", { exact: true }).waitFor();
	expect(Object.values(await syncedFiles(home))).toEqual([sha256Of("# Written by goose")]);
	await outcome.getByRole("button", { name: "report.md" }).click();
	await page.getByRole("heading", { name: "Written by goose" }).waitFor();

	await page.getByRole("textbox", { name: "Message" }).fill("FAKE:SAY the second answer");
	await page.keyboard.press("Enter");
	await page.locator(".md").getByText("the second answer").waitFor();
	await outcome.nth(1).waitFor();
	await page.reload();
	await page.locator(".md").getByText("the second answer").waitFor();
	await outcome.first().getByText("Checked", { exact: true }).waitFor();
	expect(faults).toEqual([]);
});

it("keeps a real agent from acting when the person says no", async () => {
	const { page, home } = opened;
	const before = await syncedFiles(home);
	await ask(page, "goose", "FAKE:WRITE $XWORKMATE_ARTIFACT_DIRECTORY/never.md never");
	await page.locator("[data-approval]").waitFor();
	await page.getByRole("button", { name: /^Deny/ }).click();
	await page.locator(".said").getByText("Denied").waitFor();
	await page.locator("[data-outcome]").waitFor();
	expect(await syncedFiles(home)).toEqual(before);
});

it("stops a real agent in the middle of its words, and says so once it is confirmed", async () => {
	const { page } = opened;
	await ask(page, "goose", "FAKE:SLOW 60");
	await page.locator(".md").first().waitFor();
	await page.keyboard.press("Escape");
	await page.keyboard.press("Escape");
	await page.locator("[data-outcome=off]").getByText("Stopped by you").waitFor();
	await waitUntil("the agent to hang up on its model", 5_000, async () =>
		(await model.requests()).some(({ abortedByCaller }) => abortedByCaller === true) ? true : undefined,
	);
});
