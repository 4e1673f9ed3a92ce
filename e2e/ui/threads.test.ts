import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage({ agents: [unrulyAgent()] });
	opened.page.setDefaultTimeout(20_000);
});
afterAll(() => opened[Symbol.asyncDispose]());

const row = (page: Page, title: string) => page.locator(".side [data-thread]").filter({ hasText: title });
const search = (page: Page) => page.getByRole("searchbox", { name: "Search threads" });

/** Every row as the user sees it: title, state and hint, without the times. */
async function rows(page: Page): Promise<readonly string[]> {
	await page.locator(".side [data-thread]").first().waitFor();
	const shown = await page.locator(".side [data-thread]").all();
	return Promise.all(
		shown.map(async (one) => {
			const says = await one.locator(".row-s > span").allTextContents();
			return `${await one.locator(".row-t").textContent()}: ${says.join(" ")}`;
		}),
	);
}

it("tells outcomes apart in the list, with what came out of each, and finds threads by title and by prompt", async () => {
	const { page } = opened;
	await ask(page, "unruly", "The report\nUNRULY:WRITE report.md hi ;; SAY It is written.");
	await page.locator("[data-outcome=ok]").waitFor();
	await ask(page, "unruly", "A question\nUNRULY:SAY Because of the *rain*, mostly.");
	await page.locator("[data-outcome=ok]").waitFor();
	await ask(page, "unruly", "The conversion\nUNRULY:DIE 3");
	await page.locator("[data-outcome=bad]").waitFor();
	await ask(page, "unruly", "The slides\nUNRULY:SAY done", ["slides.html"]);
	await page.locator("[data-outcome=miss]").waitFor();
	const call = { sessionUpdate: "tool_call", toolCallId: "c4", title: "chapter 4", kind: "edit", status: "in_progress" };
	await ask(page, "unruly", `The long one\nUNRULY:UPDATE ${JSON.stringify(call)} ;; SAY I translate. ;; HANG`);
	await row(page, "The long one").getByText("Running").waitFor();
	await row(page, "The long one").getByText("chapter 4").waitFor();
	await page.getByRole("button", { name: /^Stop/ }).click();
	await page.locator("[data-outcome=off]").waitFor();
	expect(await rows(page)).toEqual([
		"The slides: File missing A required file is missing",
		"The conversion: Failed Unruly (unruly) ended unexpectedly",
		"The long one: Cancelled I translate.",
		"A question: Succeeded Because of the rain, mostly.",
		"The report: Succeeded report.md",
	]);
	await search(page).fill("QUESTION");
	await page.getByRole("heading", { name: /^Results/ }).waitFor();
	expect(await rows(page)).toHaveLength(1);
	await search(page).fill("RAIN, mostly");
	await row(page, "A question").locator("mark").getByText("rain*, mostly").waitFor();
	await search(page).fill("i translate");
	await row(page, "The long one").getByText("I translate").waitFor();
	await search(page).fill("100%_nothing");
	await page
		.getByRole("navigation", { name: "Threads" })
		.getByText("No results for “100%_nothing” in titles, sent messages, final answers or file names.")
		.waitFor();
	await page.keyboard.press("Escape");
	await row(page, "The report").waitFor();
});

it("archives, restores and goes on the same after a reload and after the app was started again", async () => {
	const { page } = opened;
	await row(page, "The conversion").focus();
	await page.keyboard.press("e");
	await row(page, "The conversion").waitFor({ state: "detached" });
	const before = await rows(page);
	await page.reload();
	expect(await rows(page)).toEqual(before);
	await opened.restart();
	expect(await rows(page)).toEqual(before);
	await page.getByRole("button", { name: "Show archived (1)" }).click();
	await row(page, "The conversion").click();
	await page.getByText("This thread is archived").waitFor();
	await row(page, "The conversion").focus();
	await page.keyboard.press("e");
	await page.getByText("This thread is archived").waitFor({ state: "detached" });
	await page.getByText("Restored “The conversion”").waitFor();
	expect([...(await rows(page))].sort()).toEqual([...before, "The conversion: Failed Unruly (unruly) ended unexpectedly"].sort());
});

it("shows what an agent did, quietly, each step open to its input, output and change, and folds it once it is over", async () => {
	const { page } = opened;
	const steps = "THINK which words to use ;; PLAN ;; TOOL polish ;; USAGE ;; SAY A **bold** answer.";
	await ask(page, "unruly", `UNRULY:${steps} ;; ASK npm test ;; SAY Published.`);
	await page.locator("[data-approval]").waitFor();
	await page.getByText("1 of 2 reported as done").waitFor();
	await page.getByText("$0.25 in this conversation, 13% of context used").waitFor();
	const step = page.locator("details").filter({ hasText: "a.txt" });
	await step.locator("summary").click();
	await step.getByRole("region", { name: "Input" }).getByText('{"path":"a.txt"}').waitFor();
	await step.getByRole("region", { name: "Output" }).getByText("did polish").waitFor();
	expect(await step.getByRole("region", { name: "Changes to /work/a.txt" }).textContent()).toContain("new");
	const allow = page.getByRole("button", { name: /^Allow “npm test …” commands in this thread and working folder for 15 min/ });
	// The answers are in one line, whatever the label of the long one.
	const tops = [page.getByRole("button", { name: /^Allow once/ }), allow, page.getByRole("button", { name: /^Deny/ })];
	await page.setViewportSize({ width: 1280, height: 800 });
	const middles = await Promise.all(tops.map(async (button) => (await button.boundingBox()) ?? { y: 0, height: 0 }));
	expect(new Set(middles.map(({ y, height }) => Math.round(y + height / 2))).size).toBe(1);
	await allow.click();
	await page.locator(".said").getByText("Allowed with a 15-minute permission").waitFor();
	// The file that a step says it edited does not exist, so this is no plain success.
	await page.locator("[data-outcome=mixed]").waitFor();
	expect(await page.locator(".md strong").textContent()).toBe("bold");

	await page.reload();
	await page.locator(".md").getByText("Published.").waitFor();
	const folded = page.locator("details").filter({ hasText: "1 thought and 2 steps" });
	expect(await page.locator("[data-turn] details").getByText("polish").count()).toBe(0);
	await page.getByText(/Reported as changed, but not found afterwards: .*a\.txt/).waitFor();
	await folded.locator("summary").first().click();
	await folded.locator(".said").getByText("Allowed with a 15-minute permission").waitFor();
	// What is allowed for a quarter of an hour is not asked again in this thread.
	await page.getByRole("textbox", { name: "Message" }).fill("UNRULY:ASK npm test a.test.ts ;; SAY Twice.");
	await page.keyboard.press("Enter");
	await page.locator("[data-outcome=ok]").waitFor();
	await page.getByText("answer allow_once").last().waitFor();
});

it("[D2] shows a permission that holds in its thread, also after a reload and in a second window, and takes it back", async () => {
	const { page } = opened;
	await ask(page, "unruly", "Run the tests\nUNRULY:ASK npm test ;; ASK npm test a.test.ts ;; SAY tested");
	await page.getByRole("button", { name: /^Allow “npm test …” commands in this thread and working folder for 15 min/ }).click();
	await page.locator("[data-outcome=ok]").waitFor();
	await page
		.locator(".said")
		.getByText(/^Allowed automatically/)
		.waitFor();
	expect(await page.locator(".said").last().textContent()).toMatch(
		/^Allowed automatically \(15-minute permission from \d{1,2}:\d\d\), \d{1,2}:\d\d: npm test a\.test\.ts$/,
	);
	await page.reload();
	const chip = page.getByRole("list", { name: "Permissions in this thread" });
	await chip.getByText(/^Commands “npm test …” by .+ in the agent’s workspace, allowed until \d{1,2}:\d\d$/).waitFor();
	const second = await page.context().newPage();
	await second.goto(page.url());
	await second.getByRole("button", { name: /^Revoke: Commands “npm test …”/ }).waitFor();
	await page.getByRole("button", { name: /^Revoke: Commands “npm test …”/ }).click();
	await chip.waitFor({ state: "detached" });
	await second.getByRole("list", { name: "Permissions in this thread" }).waitFor({ state: "detached" });
	await second.close();
	await page.locator("textarea:focus").waitFor();
	await page.getByRole("textbox", { name: "Message" }).fill("UNRULY:ASK npm test ;; SAY asked");
	await page.keyboard.press("Enter");
	await page.locator("[data-approval]").waitFor();
	await page.getByRole("button", { name: /^Deny/ }).click();
});

it("keeps a request open when the app is killed and started again beside the run, and its answer reaches the agent", async () => {
	const { page } = opened;
	await ask(page, "unruly", "Outlive the app\nUNRULY:ASK go on ;; SAY gone on");
	await page.locator("[data-approval]").waitFor();
	await opened.killApp();
	await page.getByText("App not responding").waitFor();
	await opened.restart();
	await expect.poll(() => page.title()).toMatch(/^\(1\) /);
	await page.getByRole("link", { name: /^Home/ }).click();
	await page.getByRole("heading", { name: "Unruly (unruly) wants to run a command" }).waitFor();
	await page.keyboard.press("Alt+y");
	await page.keyboard.press("a");
	await page.locator(".said").getByText("Allowed once").waitFor();
	await row(page, "Outlive the app").getByText("Succeeded").waitFor();
	expect(await page.title()).not.toMatch(/^\(/);
	expect(opened.faults).toEqual([]);
});
