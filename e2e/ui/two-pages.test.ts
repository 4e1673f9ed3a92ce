import { afterAll, beforeAll, expect, it } from "vitest";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage({ agents: [unrulyAgent()] });
});
afterAll(() => opened[Symbol.asyncDispose]());

it("shows a request in both windows; answered in one it closes in the other, by the record", async () => {
	const { page } = opened;
	await ask(page, "unruly", "UNRULY:SAY before ;; ASK rm -rf build\u202E && x ;; SAY after");
	const first = page.locator("[data-approval]");
	await first.waitFor();
	expect(await first.locator("pre").textContent()).toBe("rm -rf build⟨U+202E⟩ && x");
	expect(await page.title()).toMatch(/^\(1\) /);

	const second = await opened.another();
	const other = second.locator("[data-approval]");
	await other.waitFor();
	await page.keyboard.press("Alt+y");
	await page.keyboard.press("d");
	await page.locator(".said").getByText("Denied").waitFor();
	await other.waitFor({ state: "detached" });
	await page.locator(".md").getByText("answer reject_once").waitFor();
	await page.locator("[data-outcome]").waitFor();
	await second.close();
});

it("keeps an open request over a reload, and lets it be answered from the list of what waits", async () => {
	const { page } = opened;
	await ask(page, "unruly", "UNRULY:ASK make it ;; SAY made");
	await page.locator("[data-approval]").waitFor();
	await page.reload();
	await page.locator("[data-approval]").waitFor();
	await page.getByRole("link", { name: /^Home/ }).click();
	await page.getByRole("button", { name: /Allow once/ }).click();
	await page.locator("[data-approval]").waitFor({ state: "detached" });
	await page.locator('[data-thread][data-state="succeeded"]').first().waitFor();
});

it("streams, stops by Esc Esc, and says that the stop is confirmed", async () => {
	const { page } = opened;
	await ask(page, "unruly", "UNRULY:SAY working on it ;; PLAN ;; HANG");
	await page.getByText("working on it").last().waitFor();
	const second = await opened.another();
	await second.locator('[data-thread][data-state="running"]').first().waitFor();
	await page.keyboard.press("Escape");
	await page.keyboard.press("Escape");
	await page.locator("[data-outcome=off]").getByText("Stopped by you").waitFor();
	await second.locator('[data-thread][data-state="cancelled"]').first().waitFor();
	await second.close();
});

it("lets messages wait behind a run, keeps what is typed, and renames in both windows", async () => {
	const { page } = opened;
	await ask(page, "unruly", "UNRULY:SAY first ;; ASK go on ;; SAY gone on");
	await page.locator("[data-approval]").waitFor();
	const field = page.getByRole("textbox", { name: "Message" });
	await field.fill("UNRULY:SAY the second one");
	await page.keyboard.press("Enter");
	await page.getByRole("region", { name: "Queued messages" }).getByText("the second one").waitFor();
	await field.fill("not sent yet");
	await page.locator(".side").getByText("Draft").waitFor();
	await page.reload();
	await expect.poll(() => page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("not sent yet");
	await page.getByRole("textbox", { name: "Message" }).fill("");
	await page.getByRole("button", { name: /Allow once/ }).click();
	await page.locator("[data-outcome=ok]").nth(1).waitFor();
	await page.getByRole("button", { name: "Actions for this thread" }).click();
	await page.getByRole("menuitem", { name: /Rename/ }).click();
	await page.getByRole("textbox", { name: "Thread title" }).fill("A name of its own");
	await page.keyboard.press("Enter");
	const second = await opened.another();
	await second.locator(".side").getByText("A name of its own").waitFor();
	await second.close();
});

it("archives with a way back, and deletes only when asked twice", async () => {
	const { page } = opened;
	await ask(page, "unruly", "To be gone\nUNRULY:SAY hi");
	await page.locator("[data-outcome=ok]").waitFor();
	const row = page.locator(".side [data-thread]").filter({ hasText: "To be gone" });
	await row.focus();
	await page.keyboard.press("e");
	await row.waitFor({ state: "detached" });
	await page.getByRole("button", { name: "Undo" }).click();
	await row.waitFor();
	await page.getByRole("button", { name: "Actions for this thread" }).click();
	await page.getByRole("menuitem", { name: /^Delete/ }).click();
	await page.getByText("This permanently deletes 1 run and everything else in this thread’s folder.").waitFor();
	await page.getByRole("button", { name: "Cancel" }).click();
	await row.waitFor();
	await page.getByRole("button", { name: "Actions for this thread" }).click();
	await page.getByRole("menuitem", { name: /Delete/ }).click();
	await page.getByRole("button", { name: "Delete", exact: true }).click();
	await row.waitFor({ state: "detached" });
});

it("says what a dead agent means and what to do, and has the run's log", async () => {
	const { page } = opened;
	await ask(page, "unruly", "UNRULY:SAY so far ;; DIE 3");
	const outcome = page.locator("[data-outcome=bad]");
	await outcome.getByText("Unruly (unruly) ended unexpectedly").waitFor();
	await outcome.getByText("PROVIDER_EXITED").waitFor();
	await page.keyboard.press("Control+l");
	await page.getByRole("heading", { name: "Run log" }).waitFor();
	await page.getByText("Saved locally").waitFor();
	expect(opened.faults).toEqual([]);
});
