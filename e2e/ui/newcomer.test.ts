import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { unrulyAgent } from "../support/bridge/providers.ts";
import type { TemporaryHome } from "../support/machine/temporary-home.ts";
import { openPage } from "../support/page/opened-page.ts";

const message = (page: Page) => page.getByRole("textbox", { name: "Message" });
const offer = (page: Page) => page.getByRole("region", { name: "Choose an agent" });
/** A folder that is the whole PATH: node is there, and nothing else. */
const pathOf = (home: TemporaryHome) => join(home.path, "commands");

async function prepareCommands(home: TemporaryHome): Promise<void> {
	await mkdir(pathOf(home));
	await symlink(process.execPath, join(pathOf(home), "node"));
}

async function openBare(agents: readonly string[] = []) {
	const env: Record<string, string> = {};
	return await openPage({
		agents: agents.map((id) => unrulyAgent(id)),
		env,
		prepare: async (home) => {
			await prepareCommands(home);
			env.PATH = pathOf(home);
		},
	});
}

/** As an installer does it: the command is there from now on. */
async function installCodex(home: TemporaryHome): Promise<void> {
	const agent = fileURLToPath(new URL("../fakes/unruly-agent.ts", import.meta.url));
	const command = join(pathOf(home), "codex-acp");
	await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${agent}"\n`);
	await chmod(command, 0o755);
}

it("[D11] leads from plain words without an agent to the first answer: an offer, an install, one press; nothing typed is lost", async () => {
	await using opened = await openBare();
	const { page, home, faults } = opened;
	await page.getByRole("button", { name: /Create my first file/ }).click();
	await page.locator("[data-outcome=ok]").waitFor();
	// The way to an agent is still there after the first thread.
	await page.goto(`${opened.url}#/`);
	const card = page.getByRole("region", { name: "Add an agent" });
	await card.getByText("None found").waitFor();
	await card.getByText("npm run -s xworkmate -- agents install codex", { exact: true }).waitFor();

	await page.goto(`${opened.url}#/new`);
	await message(page).fill("Write me a haiku\nabout autumn");
	await page.getByText("Script runs TypeScript programs, and this looks like ordinary text.").waitFor();
	await page.keyboard.press("Enter");
	await offer(page).getByText("Script can only run TypeScript. To write in plain words, choose an agent.").waitFor();
	await offer(page).getByRole("button", { name: "Copy command npm run -s xworkmate -- agents install codex" }).waitFor();
	expect(await offer(page).getByRole("button", { name: /^Use/ }).count()).toBe(0);
	await page.reload();
	await expect.poll(() => message(page).inputValue()).toBe("Write me a haiku\nabout autumn");
	await message(page).press("Enter");
	await offer(page).waitFor();

	await installCodex(home);
	// The bridge looks for agents at most once a second, so a press right after a look may still find none.
	const found = offer(page).getByRole("button", { name: "Use Codex" });
	await expect
		.poll(async () => {
			const isThere = await found.isVisible();
			if (!isThere) await offer(page).getByRole("button", { name: "Check again" }).click();
			return isThere;
		})
		.toBe(true);
	await found.click();
	expect(await message(page).inputValue()).toBe("Write me a haiku\nabout autumn");
	await page.getByRole("button", { name: "Agent: Codex" }).waitFor();
	await page.keyboard.press("Enter");
	await page.locator("[data-turn]").getByText("Hello from the unruly agent.").waitFor();
	await page.locator("[data-outcome=ok]").waitFor();
	await page.goto(`${opened.url}#/`);
	await page.locator("main").getByRole("heading", { name: /today/i }).waitFor();
	expect(await card.count()).toBe(0);
	expect(faults).toEqual([]);
});

it("[D11] has the agent that was found first, and one press uses it: from the first page, and in a thread of Script", async () => {
	await using opened = await openBare(["unruly"]);
	const { page, faults } = opened;
	const first = page.getByRole("region", { name: "Next: add an agent" });
	await first.getByText("1 found").waitFor();
	expect(await first.locator("[data-provider]").first().getAttribute("data-provider")).toBe("unruly");
	await first.getByRole("button", { name: "Use Unruly (unruly)" }).click();
	await page.getByRole("button", { name: "Agent: Unruly (unruly)" }).waitFor();

	await page.goto(`${opened.url}#/`);
	await page.getByRole("button", { name: /Create my first file/ }).click();
	await page.locator("[data-outcome=ok]").waitFor();
	await message(page).fill("Now write a haiku");
	await page.keyboard.press("Enter");
	const use = offer(page).getByRole("button", { name: "Use Unruly (unruly)" });
	await use.waitFor();
	// The press of Enter that opened the offer leaves the focus on it: one more uses the agent, the next one sends.
	await expect.poll(() => use.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
	await page.keyboard.press("Enter");
	await page.keyboard.press("Enter");
	await page.locator("[data-turn]").last().getByText("Hello from the unruly agent.").waitFor();
	expect(await page.locator("[data-outcome=bad]").count()).toBe(0);
	expect(faults).toEqual([]);
});

it("[D11] lists several agents before Script, and those that are not installed after them; a program goes to Script at once", async () => {
	await using opened = await openBare(["one", "two"]);
	const { page } = opened;
	await page.getByRole("button", { name: /Create my first file/ }).waitFor();
	await page.goto(`${opened.url}#/new`);
	await page.getByRole("button", { name: /^Agent:/ }).click();
	const options = page.locator("[role=option]");
	await options.first().waitFor();
	const order = await options.evaluateAll((all) => all.map((option) => option.getAttribute("data-provider")));
	expect(order.slice(0, 3)).toEqual(["one", "two", "script"]);
	await page.locator('[role=option][data-provider="script"]').click();
	await message(page).fill("return 'a haiku'");
	await page.getByText("Script runs TypeScript programs.", { exact: true }).waitFor();
	await message(page).press("Enter");
	await page.locator("[data-turn]").last().getByText("a haiku", { exact: true }).waitFor();
});
