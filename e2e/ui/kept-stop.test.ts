import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listThreads } from "../support/app/started-app.ts";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";

/** Below those that the system gives away, so that the app can take it again. */
async function freePort(): Promise<number> {
	for (;;) {
		const port = randomInt(20_000, 30_000);
		const { promise, resolve } = Promise.withResolvers<boolean>();
		const server = createServer()
			.once("error", () => resolve(false))
			.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
		if (await promise) return port;
	}
}

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage({ agents: [unrulyAgent()], env: { XWORKMATE_APP_LISTEN: `127.0.0.1:${await freePort()}` } });
});
afterAll(() => opened[Symbol.asyncDispose]());

it("[D3] a Stop whose request alone is lost says that it is not sent yet, and stops the run once the app can be asked", async () => {
	const { page } = opened;
	await ask(page, "unruly", "A run to ask again\nUNRULY:SLOW 1200 100");
	await page
		.locator(".md")
		.getByText(/tick 3/)
		.waitFor();
	let lost = 0;
	await page.route("**/api/cancelTurn", (route) => {
		lost++;
		return route.abort("connectionfailed");
	});
	await page.locator("[data-stop]").click();
	const bar = page.getByRole("region", { name: "This run" });
	await bar.getByText("Stop requested. This page will send the request when XWorkmate responds.").waitFor();
	// The run's lines keep coming, and each attempt is answered by the next of them.
	await expect.poll(() => lost).toBeGreaterThan(2);
	expect(await page.getByText(/Stop requested .* ago/).count()).toBe(0);
	await page.unroute("**/api/cancelTurn");
	await page.locator("[data-outcome=off]").waitFor({ timeout: 30_000 });
	expect((await listThreads(opened.home)).map(({ turns }) => turns.map(({ status }) => status))).toEqual([["cancelled"]]);
});

it("[D3] a Stop that is pressed while the app is dead stops the run once the app is back", async () => {
	const { page } = opened;
	await ask(page, "unruly", "A run to stop\nUNRULY:SLOW 1200 100");
	await page
		.locator(".md")
		.getByText(/tick 3/)
		.waitFor();
	await opened.killApp();
	await page.getByText("Connection lost. The run may still be in progress.").waitFor();
	await page.locator("[data-stop]").click();
	await page.getByText("Stop requested. This page will send the request when XWorkmate responds.").first().waitFor();
	expect(await page.locator("[data-stop]").count()).toBe(0);
	expect(await page.locator(".spin").count()).toBe(0);
	await opened.restart();
	await page.locator(".side").getByText("A run to stop").click();
	await page.locator("[data-outcome=off]").waitFor({ timeout: 30_000 });
	expect((await listThreads(opened.home)).map(({ turns }) => turns.map(({ status }) => status))).toEqual([["cancelled"], ["cancelled"]]);
});
