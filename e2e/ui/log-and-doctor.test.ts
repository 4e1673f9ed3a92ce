import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ask, type OpenedPage, openPage } from "../support/opened-page.ts";
import { unrulyAgent } from "../support/providers.ts";

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
	await page.locator("[data-outcome=ok]").waitFor();
	await page.keyboard.press("Control+l");
	const log = page.getByRole("region", { name: "Run log" });
	for (const load of ["at once", "after a reload"]) {
		await log.getByText("Files saved").waitFor();
		const said = await log.locator("li .what").allTextContents();
		expect(said[0], load).toMatch(/^App\s*Message saved/);
		for (const hop of ["App to Bridge", "Bridge to Unruly", "Unruly (unruly) to Bridge", "Bridge to App", "Sync to App"])
			expect(said.join("\n"), load).toContain(hop);
		expect(await log.locator(".ev.head .tr > span").allTextContents()).toEqual(["App", "Bridge", "Unruly (unruly)", "Sync"]);
		await page.reload();
	}
	await page.getByRole("button", { name: "Problems 0" }).click();
	await page.getByText("Nothing is recorded yet.").waitFor();
});

it("shows what went wrong, and exports the log as JSON without a secret", async () => {
	const { page } = opened;
	const token = `sk-${"a".repeat(30)}`;
	await ask(page, "unruly", `Use ${SECRET}\nUNRULY:SAY the key is ${token} and ${SECRET} ;; DIE 3`);
	await page.locator("[data-outcome=bad]").waitFor();
	await page.keyboard.press("Control+l");
	await page.getByRole("button", { name: "Problems 2" }).click();
	const log = page.getByRole("region", { name: "Run log" });
	await log
		.getByRole("button", { name: /exited with code 3/ })
		.first()
		.click();
	await log.getByRole("region", { name: "All of this line" }).getByText("exited with code 3").waitFor();
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
	await page.getByRole("heading", { name: "You can work. OpenClaw cannot yet." }).waitFor();
	const row = (id: string) => page.locator(`li[data-provider="${id}"]`);
	await row("locked").getByText("Ready").waitFor();
	await page.getByRole("button", { name: "Test Unruly (locked)" }).click();
	await row("locked").getByText("Needs a key").waitFor();
	await page.getByRole("button", { name: "Test Unruly (unruly)" }).click();
	await row("unruly")
		.getByText(/tried, answered in/)
		.waitFor();
	await row("unruly").getByText("small, large").waitFor();
	await page.getByRole("button", { name: "Test goose" }).click();
	await row("goose").getByText("npm install -g @aaif/goose-acp").waitFor();
	await row("openclaw").getByText("Not running").waitFor();
	await page.getByText("can be asked when the gateway answers").waitFor();
});

it("says when the bridge is gone, and starts it again", async () => {
	const { page, app } = opened;
	process.kill(app.bridgePid, "SIGKILL");
	await page.getByRole("button", { name: /^Start the bridge/ }).click();
	await page.getByRole("heading", { name: "You can work. OpenClaw cannot yet." }).waitFor();
	await page.goto(`${opened.url}#/settings/log`);
	await page.getByText("the bridge listens").last().waitFor();
	expect(await page.locator("main").textContent()).not.toContain(SECRET);
	await page.goto(`${opened.url}#/settings/places`);
	await page.getByText(opened.home.xworkmate, { exact: true }).waitFor();
	await page.goto(`${opened.url}#/settings/look`);
	await page.getByRole("button", { name: "Dark" }).click();
	await page.reload();
	await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
	expect(opened.faults).toEqual([]);
});
