import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage({ agents: [unrulyAgent()] });
});
afterAll(() => opened[Symbol.asyncDispose]());

it("can be installed: the browser finds nothing against it, and no service worker stands between page and app", async () => {
	const { page, faults } = opened;
	const protocol = await page.context().newCDPSession(page);
	const { installabilityErrors } = await protocol.send("Page.getInstallabilityErrors");
	// A browser without a profile that lasts installs nothing; that is this test's, not the page's.
	expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
	const { errors, data = "" } = await protocol.send("Page.getAppManifest");
	expect(errors).toEqual([]);
	for (const { src, sizes } of JSON.parse(data).icons.filter(({ type }: { type: string }) => type === "image/png")) {
		const size = `createImageBitmap(await (await fetch("${src}")).blob())`;
		expect(await page.evaluate(`(async () => { const { width, height } = await ${size}; return width + "x" + height; })()`)).toBe(sizes);
	}
	expect(await page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)")).toBe(0);
	expect(faults).toEqual([]);
});

/** Notifications belong to the system: records what the page passes to it, and lets the test set whether the window has the focus. */
const record = `
	globalThis.shown = [];
	globalThis.front = true;
	Document.prototype.hasFocus = () => globalThis.front;
	globalThis.Notification = class extends EventTarget {
		static permission = localStorage.getItem("test.permission") ?? "default";
		static async requestPermission() {
			globalThis.asked = (globalThis.asked ?? 0) + 1;
			return (this.permission = "granted");
		}
		constructor(title, { body, tag }) {
			super();
			globalThis.shown.push({ title, body, tag, press: () => this.dispatchEvent(new Event("click")) });
		}
		close() {}
	};
`;
const shown = (page: Page) => page.evaluate<string[]>("shown.map(({ body }) => body)");

it("asks for notices by a press alone, and shows one when a run needs the person or ends while another window is in front", async () => {
	const { page } = opened;
	await page.addInitScript(record);
	await page.reload();
	// Who looks at the run is offered nothing; who comes back after it is, and the browser is asked by the press alone.
	for (const front of [true, false]) {
		await page.evaluate(`globalThis.front = ${front}`);
		await ask(page, "unruly", "First words\nUNRULY:SAY hi");
		await page.locator("[data-outcome=ok]").waitFor();
		await page.locator('[data-thread][data-state="succeeded"]').first().waitFor();
		expect(await page.getByRole("button", { name: "Turn on" }).count()).toBe(0);
	}
	await page.evaluate('globalThis.front = true; dispatchEvent(new Event("focus"))');
	await page.getByRole("button", { name: "Not now" }).waitFor();
	expect(await page.evaluate("globalThis.asked ?? 0")).toBe(0);
	await page.getByRole("button", { name: "Turn on" }).click();
	await expect.poll(() => page.evaluate("globalThis.asked")).toBe(1);

	await ask(page, "unruly", "Energy report\nUNRULY:ASK run it ;; SAY hello");
	await page.locator("[data-approval]").waitFor();
	expect(await shown(page)).toEqual([]);
	await page.evaluate("globalThis.front = false");
	await page.getByRole("button", { name: /Allow once/ }).click();
	await page.locator("[data-outcome=ok]").waitFor();
	expect(await shown(page)).toEqual(["Energy report: Succeeded"]);
	await ask(page, "unruly", "Second report\nUNRULY:ASK run it");
	await page.locator("[data-approval]").waitFor();
	expect((await shown(page)).at(-1)).toMatch(/run it|permission/);
	await page.goto(`${opened.url}#/settings/notifications`);
	await page.getByRole("switch", { name: "System notifications", checked: true }).waitFor();
	await page.evaluate("shown.at(-1).press()");
	await page.locator("[data-approval]").waitFor();
	await page.getByRole("button", { name: /Deny/ }).click();
	// Once is enough: a reload offers nothing again.
	await page.reload();
	await page.locator("[data-outcome]").waitFor();
	expect(await page.getByRole("button", { name: "Turn on" }).count()).toBe(0);
});

it("falls quiet where notices are refused", async () => {
	const { page } = opened;
	await page.evaluate('localStorage.setItem("test.permission", "denied")');
	await page.reload();
	await ask(page, "unruly", "Quiet\nUNRULY:ASK run it");
	await page.evaluate("globalThis.front = false");
	await page.getByRole("button", { name: /Allow once/ }).click();
	await page.locator("[data-outcome]").waitFor();
	expect(await shown(page)).toEqual([]);
	await page.goto(`${opened.url}#/settings/notifications`);
	await page.getByText("Blocked in your browser settings").waitFor();
});
