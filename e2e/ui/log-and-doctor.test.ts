import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";

const SECRET = "gateway-token-of-this-test";

let opened: OpenedPage;
beforeAll(async () => {
	const agents = [unrulyAgent("unruly", { UNRULY_MODELS: "small,large" }), unrulyAgent("locked", { UNRULY_AUTH: "required" })];
	// Nothing listens there: a gateway that is set up and away.
	const env = { XWORKMATE_OPENCLAW_URL: "ws://127.0.0.1:9", XWORKMATE_OPENCLAW_TOKEN: SECRET };
	opened = await openPage({ agents, env });
});
afterAll(() => opened[Symbol.asyncDispose]());

it("tells every hop of a run by time, and the same after a reload", async () => {
	const { page } = opened;
	await ask(page, "unruly", "Look at the survey\nUNRULY:TOOL look at survey.txt ;; SAY done ;; WRITE a.md # a");
	await page.locator("[data-outcome=mixed]").waitFor();
	await page.keyboard.press("Control+l");
	const log = page.getByRole("region", { name: "Run log" });
	for (const load of ["at once", "after a reload"]) {
		await log.getByText("Files saved").waitFor();
		const said = await log.locator("[role=option] .what").allTextContents();
		expect(said[0], load).toMatch(/^App\s*Saved locally\s*for Unruly \(unruly\)/);
		for (const hop of ["App to Bridge", "Bridge to Unruly", "Unruly (unruly) to Bridge", "Bridge to App", "Sync to App"])
			expect(said.join("\n"), load).toContain(hop);
		expect(await log.locator(".ev.head .tr > span").allTextContents()).toEqual(["App", "Bridge", "Unruly (unruly)", "Sync"]);
		await page.reload();
	}
	await page.getByRole("button", { name: "Problems 0" }).click();
	await page.getByText("No events of this kind.").waitFor();
});

it("[D8] opens an event with its whole text by keyboard, moves with the arrows, and gives the focus back", async () => {
	const { page } = opened;
	const cause = `${"the cache is locked ".repeat(40)}and EACCES is why`;
	await ask(page, "unruly", `Say a lot\nUNRULY:SAY ${cause} ;; SLOW 4 500 ;; TOOL look at survey.txt`);
	await page.locator("[data-outcome=mixed]").waitFor();
	await page.keyboard.press("Control+l");
	const list = page.getByRole("listbox", { name: "Events" });
	await list.getByText(/^Message, \d+ parts$/).waitFor();
	await list.focus();
	await page.keyboard.press("ArrowDown");
	const chosen = list.locator("[aria-selected=true]");
	await chosen.getByText("Saved locally").waitFor();
	while (!(await chosen.textContent())?.includes("Message, ")) await page.keyboard.press("ArrowDown");
	const details = page.getByRole("complementary", { name: "Event details" });
	expect(await details.count()).toBe(0);
	await page.keyboard.press("Enter");
	await details.getByText("and EACCES is why").waitFor();
	await details.getByText("Parts", { exact: true }).waitFor();
	// It is part of the address: a reload shows it again, and the arrow keys continue from there.
	await page.reload();
	await details.getByText("and EACCES is why").waitFor();
	await list.focus();
	await page.keyboard.press("ArrowUp");
	await expect.poll(() => details.getByText("and EACCES is why").count()).toBe(0);
	await page.keyboard.press("Escape");
	await details.waitFor({ state: "detached" });
	await expect.poll(() => page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Events");
	// On a phone it takes the list's place, and one arrow leads back.
	await page.setViewportSize({ width: 390, height: 844 });
	await chosen.click();
	await expect.poll(() => page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Back to the run log");
	await page.keyboard.press("Enter");
	await list.waitFor();
	expect(await page.locator("main .bar").getByRole("link", { name: "Back to the conversation" }).count()).toBe(1);
	expect(await page.getByRole("button", { name: /^Back to threads/ }).count()).toBe(0);
	await page.setViewportSize({ width: 1280, height: 800 });
	await page.goBack();
	await page.goBack();
});

it("shows the keyboard shortcuts on ?, in no field, and not where single keys are off", async () => {
	const { page } = opened;
	await page.goto(`${opened.url}#/new`);
	const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
	await page.getByRole("textbox", { name: "Message" }).fill("");
	await page.keyboard.press("?");
	await expect.poll(() => page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("?");
	await page.getByRole("textbox", { name: "Message" }).fill("");
	await page.goto(`${opened.url}#/settings/shortcuts`);
	const single = page.getByRole("switch", { name: "Single-key shortcuts" });
	await single.focus();
	await page.keyboard.press("?");
	await sheet.getByText("Toggle sidebar").waitFor();
	await page.keyboard.press("Escape");
	await sheet.waitFor({ state: "detached" });
	await expect.poll(() => page.evaluate("document.activeElement.getAttribute('role')")).toBe("switch");
	await page.keyboard.press("Space");
	await page.getByRole("switch", { name: "Single-key shortcuts", checked: false }).waitFor();
	await page.keyboard.press("?");
	expect(await sheet.count()).toBe(0);
	await page.keyboard.press("Space");
});

it("shows what went wrong, and exports the log as JSON without a secret", async () => {
	const { page } = opened;
	const token = `sk-${"a".repeat(30)}`;
	await ask(page, "unruly", `Use ${SECRET}\nUNRULY:SAY the key is ${token} and ${SECRET} ;; DIE 3`);
	await page.locator("[data-outcome=bad]").waitFor();
	await page.keyboard.press("Control+l");
	await page.getByRole("button", { name: "Problems 2" }).click();
	const log = page.getByRole("listbox", { name: "Events" });
	await log
		.getByText(/exited with code 3/)
		.first()
		.click();
	await page.getByRole("complementary", { name: "Event details" }).getByText("exited with code 3").waitFor();
	const coming = page.waitForEvent("download");
	await page.getByRole("link", { name: "Export JSON" }).click();
	const text = await readFile(await (await coming).path(), "utf8");
	const { turn, updates } = JSON.parse(text);
	expect(turn).toMatchObject({ status: "failed" });
	expect(updates.map(({ seq }: { seq: number }) => seq)).toEqual(updates.map((_: unknown, index: number) => index + 1));
	expect(text).toContain("[redacted]");
	await page.getByRole("button", { name: /^All/ }).click();
	const shown = await log.textContent();
	for (const secret of [token, SECRET]) {
		expect(text).not.toContain(secret);
		expect(shown).not.toContain(secret);
	}
});

it("tries each agent for real, and says what is wrong and what helps", async () => {
	const { page } = opened;
	await page.keyboard.press("Control+,");
	await page.getByRole("heading", { name: "General", exact: true }).waitFor();
	await page.getByRole("link", { name: "Diagnostics" }).click();
	await page.getByText("System checks").waitFor();
	const row = (id: string) => page.locator(`li[data-provider="${id}"]`);
	// It was never tested, and its last run failed.
	await row("unruly").getByText("Not ready").waitFor();
	await row("locked").getByText("Found, not tested yet").waitFor();
	await page.getByRole("button", { name: "Test Unruly (locked)" }).click();
	await row("locked").getByText("Sign-in needed").waitFor();
	await page.getByRole("button", { name: "Test Unruly (unruly)" }).click();
	await row("unruly")
		.getByText(/Tested: responded in/)
		.waitFor();
	await page.getByRole("heading", { name: "Ready to go. OpenClaw isn’t connected." }).waitFor();
	await row("unruly").getByText("small, large").waitFor();
	await page.getByRole("button", { name: "Test goose" }).click();
	await row("goose").getByText("npm run -s xworkmate -- agents install goose").waitFor();
	await row("openclaw").getByText("Unreachable").waitFor();
	await page.getByText("Will be checked once the bridge is connected to the gateway").waitFor();
});

it("says when the bridge is gone, and starts it again", async () => {
	const { page, app } = opened;
	process.kill(app.bridgePid, "SIGKILL");
	await page.getByRole("button", { name: /^(?:Start|Restart) bridge/ }).click();
	await page.getByRole("heading", { name: "Ready to go. OpenClaw isn’t connected." }).waitFor();
	await page.goto(`${opened.url}#/settings/log`);
	await page.getByText("the bridge is listening").last().waitFor();
	expect(await page.locator("main").textContent()).not.toContain(SECRET);
	await page.goto(`${opened.url}#/settings/storage`);
	await page.getByText(opened.home.xworkmate, { exact: true }).waitFor();
	await page.goto(`${opened.url}#/settings/appearance`);
	await page.getByRole("button", { name: "Dark" }).click();
	await page.reload();
	await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
	expect(opened.faults).toEqual([]);
});
