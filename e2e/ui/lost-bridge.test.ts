import { afterAll, beforeAll, expect, it } from "vitest";
import { readEndpoint } from "../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";
import { watchFrames } from "../support/page/seen-page.ts";

/** A killed bridge has been followed by another one. */
async function bridgePid({ home }: OpenedPage): Promise<number> {
	const endpoint = await readEndpoint(home, "bridge");
	if (endpoint === undefined) throw new Error("no bridge runs");
	return endpoint.pid;
}

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage({ agents: [unrulyAgent()] });
});
afterAll(() => opened[Symbol.asyncDispose]());

it("says that the outcome is not known when the bridge dies under an open page, and sends nothing again by itself", async () => {
	const { page, app } = opened;
	await ask(page, "unruly", "UNRULY:SAY working on it ;; HANG");
	await page.locator(".md").getByText("working on it").waitFor();
	process.kill(app.bridgePid, "SIGKILL");
	const outcome = page.locator("[data-outcome=unk]");
	await outcome.getByText("Outcome unknown: the bridge restarted").waitFor({ timeout: 60_000 });
	await outcome.getByRole("heading", { name: "Unknown", exact: true }).waitFor();
	expect(await page.locator("[data-turn]").count()).toBe(1);
	await outcome.getByRole("button", { name: "Edit and resend" }).click();
	await expect.poll(() => page.getByRole("textbox", { name: "Message" }).inputValue()).toContain("working on it");
});

const atWork =
	'UNRULY:UPDATE {"sessionUpdate":"tool_call","toolCallId":"c1","title":"make check","kind":"execute","status":"in_progress"} ;; SAY at it ;; HANG';

it.each([
	["is killed", "SIGKILL"],
	["hangs", "SIGSTOP"],
] as const)("[D4] says nothing of a run as if it were so now while its bridge %s", async (how, signal) => {
	const { page, app } = opened;
	await ask(page, "unruly", `A run whose bridge ${how}\n${atWork}`);
	await page.locator(".md").getByText("at it", { exact: true }).waitFor();
	expect(await page.locator(".spin").count()).toBe(1);
	const seen = await watchFrames(page);
	process.kill(await bridgePid(opened), signal);
	await page.locator("[data-outcome=unk]").getByText("Outcome unknown: the bridge restarted").waitFor({ timeout: 60_000 });
	const frames = await seen();
	const lost = frames.filter(({ text }) => /Connection lost\.|The bridge stopped during this run/.test(text));
	expect(lost.length).toBeGreaterThan(0);
	expect(lost.filter(({ spinners }) => spinners > 0)).toEqual([]);
	expect(lost.some(({ text }) => /Running as of \d+:\d\d/.test(text) && /Working as of \d+:\d\d/.test(text))).toBe(true);
	expect(frames.filter(({ text }) => /is still running|goes on in/.test(text))).toEqual([]);
	// Between the loss and the outcome nothing claims that it is running.
	const after = frames.slice(frames.findIndex((frame) => lost.includes(frame)));
	expect(after.filter(({ spinners }) => spinners > 0)).toEqual([]);
	await page.locator("[data-turn] details summary").first().click();
	await page.getByText("Unknown:", { exact: true }).waitFor();
	expect(app.command.stderr).not.toContain("still running");
});

it("says that the app is not running, and shows the same once it is back", async () => {
	const { page } = opened;
	await ask(page, "unruly", "A thread to keep\nUNRULY:SAY hi ;; WRITE a.txt x");
	await page.locator("[data-outcome=ok]").waitFor();
	await opened.app[Symbol.asyncDispose]();
	await page.getByText("App not responding").waitFor();
	expect(await page.locator("[data-outcome=ok]").count()).toBe(1);
	await opened.restart();
	await page.locator(".side").getByText("A thread to keep").click();
	await page.locator("[data-outcome=ok]").getByText("Checked", { exact: true }).waitFor();
});
