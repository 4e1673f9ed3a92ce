import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../support/app/command.ts";
import { syncedFiles } from "../support/app/thread-folder.ts";
import { type OpenedPage, openPage } from "../support/page/opened-page.ts";

it("leads from an empty home to a first checked file in two presses, and a reload shows the same", async () => {
	await using opened = await openPage();
	const { page, home, faults } = opened;
	await page.getByRole("button", { name: /Create my first file/ }).click();
	const outcome = page.locator("[data-outcome=ok]");
	await outcome.getByText("Succeeded. 1 file checked and saved.").waitFor();
	await outcome.getByText("Checked", { exact: true }).waitFor();
	expect(await page.evaluate("document.activeElement.tagName"), "what has the focus").not.toBe("BODY");
	await outcome.getByRole("button", { name: "welcome.md" }).click();
	await page.getByRole("heading", { name: "Welcome to XWorkmate" }).waitFor();

	const [synced] = Object.keys(await syncedFiles(home));
	expect(synced).toMatch(/\/welcome\.md$/);
	const text = await readFile(join(home.xworkmate, "threads", synced ?? ""), "utf8");
	expect(text).toContain("by a program, not by a model");

	await page.reload();
	await page.locator("[data-outcome=ok]").getByText("Succeeded. 1 file checked and saved.").waitFor();
	await page.locator("[data-outcome=ok]").getByText("Checked", { exact: true }).waitFor();
	expect(faults).toEqual([]);
});

it("says that a file was edited, and that a deleted one is not there", async () => {
	await using opened = await openPage();
	const { page, home } = opened;
	await page.getByRole("button", { name: /Create my first file/ }).click();
	await page.locator("[data-outcome=ok]").getByText("Checked", { exact: true }).waitFor();
	const [synced = ""] = Object.keys(await syncedFiles(home));
	const file = join(home.xworkmate, "threads", synced);
	await writeFile(file, "mine now");
	await page.getByRole("button", { name: /^Files/ }).click();
	await page.getByRole("complementary", { name: "Files" }).getByText("Edited", { exact: true }).waitFor();
	await rm(file);
	await page.getByRole("complementary", { name: "Files" }).getByText("Missing from folder").waitFor();
	expect(await readdir(home.xworkmate)).toContain("threads");
});

describe("the first page", () => {
	let opened: OpenedPage;
	beforeAll(async () => {
		opened = await openPage();
	});
	afterAll(() => opened[Symbol.asyncDispose]());

	it("paints first with less than 170 KB of script: the files that its document names, and no others", async () => {
		const { page, url } = opened;
		const document = await (await page.request.get(url)).text();
		const named = [...document.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = ""]) => path);
		const sizes = await Promise.all(
			named.map(async (path) => gzipSync(await (await page.request.get(new URL(path, url).href)).body()).length),
		);
		const bytes = sizes.reduce((sum, size) => sum + size, 0);
		expect(bytes).toBeGreaterThan(10_000);
		expect(bytes).toBeLessThan(170_000);

		const isNamed = (address: URL) => named.includes(address.pathname);
		// Held, so that whatever is loaded after the first paint cannot take part in it.
		await page.route(
			(address) => address.pathname.endsWith(".js") && !isNamed(address),
			() => undefined,
		);
		await page.reload();
		await page.getByRole("button", { name: /Create my first file/ }).waitFor();
		await page.getByRole("navigation", { name: "Threads" }).waitFor();
		await page.unrouteAll({ behavior: "ignoreErrors" });
	});

	it("says that a part of it could not be loaded, keeps what was typed, and shows the part when it is asked for again", async () => {
		const page = await opened.another();
		await page.route(/settings-page|overlays/, (route) => route.abort());
		await page.reload();
		await page.getByRole("link", { name: "New thread" }).click();
		await page.getByRole("textbox", { name: "Message" }).fill("typed before");
		await page.getByRole("link", { name: "Settings" }).click();
		await page.getByText("This part of the page couldn’t be loaded.").waitFor();
		await page.getByRole("button", { name: "Try again" }).click();
		await page.getByText("This part of the page couldn’t be loaded.").waitFor();
		await page.keyboard.press("?");
		await expect.poll(() => page.getByRole("button", { name: "Try again" }).count()).toBe(2);
		await page.unrouteAll({ behavior: "wait" });
		await page.getByRole("button", { name: "Try again" }).last().click();
		await page.getByRole("dialog").getByText("Keyboard shortcuts").first().waitFor();
		await page.keyboard.press("Escape");
		await page.getByRole("button", { name: "Try again" }).click();
		await page.getByRole("heading", { name: "General" }).waitFor();
		await page.getByRole("link", { name: "New thread" }).click();
		expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("typed before");
		await page.close();
	});

	it("lets nobody in without a link, and a link only once", async () => {
		const stranger = await opened.stranger();
		await stranger.getByText("You’re signed out.").waitFor();
		expect(await stranger.locator(".side").count()).toBe(0);

		const { stdout } = await runCommand(opened.home, ["open", "--print"]);
		await stranger.goto(stdout.trim());
		await stranger.getByRole("navigation", { name: "Threads" }).waitFor();
		const late = await opened.stranger();
		expect((await late.goto(stdout.trim()))?.status()).toBe(410);
		await late.goto(opened.url);
		await late.getByText("You’re signed out.").waitFor();
	});
});
