import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FakeRegistry, startFakeRegistry, writeCatalogue } from "../support/agents/fake-registry.ts";
import { expectAccessible } from "../support/page/expect-accessible.ts";
import { type OpenedPage, openPage } from "../support/page/opened-page.ts";

const BOUND_MS = 120_000;
const key = "key-of-the-page-alone";

let registry: FakeRegistry;
let opened: OpenedPage;
beforeAll(async () => {
	registry = await startFakeRegistry();
	await registry.publish({ name: "@fake/signed", version: "1.0.0", needsSignIn: true });
	await registry.publish({ name: "@fake/plain", version: "1.0.0" });
	await registry.publish({ name: "@fake/dies", version: "1.0.0", start: "dies" });
	await registry.publish({ name: "@fake/hangs", version: "1.0.0", start: "hangs" });
	opened = await openPage({
		env: { npm_config_registry: registry.url },
		prepare: (home) =>
			writeCatalogue(
				home,
				["signed", "plain", "dies", "hangs"].map((id) => ({ id, package: `@fake/${id}`, version: "1.0.0", extras: { bytes: 12_000_000 } })),
			),
	});
});
afterAll(async () => {
	await opened[Symbol.asyncDispose]();
	await registry[Symbol.asyncDispose]();
});

const row = (agent: string) => opened.page.locator(`[data-agent=${agent}]`);

it("offers the press where an agent is missing: on the first page", async () => {
	const { page, faults } = opened;
	await page.goto(`${opened.url}#/`);
	const missing = page.locator("[data-provider=plain]");
	await missing.getByRole("button", { name: "Install plain", exact: true }).click();
	await page.getByRole("button", { name: "Use plain" }).waitFor({ timeout: BOUND_MS });
	expect(faults).toEqual([]);
});

it("lists no agent before it is known which list each belongs to, so that none moves away under the focus", async () => {
	const { page } = opened;
	const { promise: isAllowed, resolve: allow } = Promise.withResolvers<void>();
	await page.route("**/api/agents", async (route) => {
		await isAllowed;
		await route.continue();
	});
	try {
		await page.goto(`${opened.url}#/settings/agents`);
		await page.reload();
		await page.getByText("Loading agents…").waitFor();
		expect(await page.locator(".set :is([data-agent], [data-provider])").count()).toBe(0);
	} finally {
		allow();
		await page.unrouteAll({ behavior: "wait" });
	}
	await row("signed").waitFor();
});

it("installs an agent by one press, signs in to it with a key, and leads to a first message: five presses", async () => {
	const { page, home } = opened;
	await page.goto(`${opened.url}#/settings/agents`);
	await row("signed").getByText("Not installed").waitFor();
	await page.getByRole("button", { name: "Install signed" }).click();
	await row("signed").getByRole("progressbar").waitFor();
	await row("signed").getByText("Sign-in needed").waitFor({ timeout: BOUND_MS });
	await page.getByRole("button", { name: "Sign in to signed" }).click();
	await page.getByRole("radio", { name: "Key" }).check();
	await page.getByLabel("Key", { exact: true }).last().fill(key);
	await page.keyboard.press("Enter");
	await row("signed").getByText("Ready").waitFor({ timeout: BOUND_MS });
	await page.getByRole("dialog").waitFor({ state: "hidden" });
	expect(await page.content()).not.toContain(key);
	expect(await readFile(join(home.xworkmate, "agent-secrets.json"), "utf8")).toContain(key);
	await page.getByRole("button", { name: "Use signed for a new message" }).click();
	await page.getByRole("textbox", { name: "Message", exact: true }).fill("Who are you?");
	await page.keyboard.press("Enter");
	await page
		.getByRole("region", { name: "Conversation" })
		.getByText(/"version":"1\.0\.0"/)
		.waitFor({ timeout: BOUND_MS });
});

it("says why an installation failed, with its log, and cancels one that never ends", async () => {
	const { page, faults } = opened;
	await page.goto(`${opened.url}#/settings/agents`);
	await page.getByRole("button", { name: "Install dies" }).click();
	await row("dies").getByText("Installation failed").waitFor({ timeout: BOUND_MS });
	expect(await row("dies").textContent()).toContain("no licence found");
	await page.getByRole("button", { name: "Install hangs" }).click();
	await row("hangs").getByText("Starting the agent").waitFor({ timeout: BOUND_MS });
	await expectAccessible(page);
	await page.getByRole("button", { name: "Cancel installing hangs" }).click();
	await row("hangs").getByText("nothing was kept").waitFor({ timeout: BOUND_MS });
	await page.getByRole("button", { name: "Sign in to signed" }).click();
	await page.getByRole("radio", { name: "In a terminal" }).check();
	await page.getByText("agents login signed --method tty").waitFor();
	await expectAccessible(page);
	await page.keyboard.press("Escape");
	await page.getByRole("button", { name: "Remove signed" }).click();
	await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
	await row("signed").getByText("Not installed").waitFor();
	expect(faults).toEqual([]);
});
