import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { ask, openPage } from "../support/page/opened-page.ts";

it("[D13] gives a removed message back, with its file, or keeps it with Undo: also over a reload", async () => {
	await using opened = await openPage({ agents: [unrulyAgent()] });
	const { page, home, faults } = opened;
	const field = page.getByRole("textbox", { name: "Message" });
	const queue = page.getByRole("region", { name: "Queued messages" });
	const attached = page.getByRole("list", { name: "Attached files" });
	await ask(page, "unruly", "UNRULY:ASK go on ;; SAY gone on");
	await page.locator("[data-approval]").waitFor();
	const notes = join(home.path, "notes.txt");
	await writeFile(notes, "hello");
	await page.locator("input[type=file]").setInputFiles([notes]);
	await attached.getByText("TXT, 5 B", { exact: true }).waitFor();
	await field.fill("UNRULY:BLOCKS");
	await field.press("Enter");
	await queue.getByText("UNRULY:BLOCKS").waitFor();
	await attached.waitFor({ state: "detached" });

	await queue.getByRole("button", { name: "Remove from queue" }).click();
	await expect.poll(() => field.inputValue()).toBe("UNRULY:BLOCKS");
	await attached.getByText("notes.txt", { exact: true }).waitFor();
	expect(await field.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
	await page.reload();
	await expect.poll(() => field.inputValue()).toBe("UNRULY:BLOCKS");
	await attached.getByText("notes.txt", { exact: true }).waitFor();
	await field.press("Enter");
	await queue.getByText("UNRULY:BLOCKS").waitFor();
	await expect.poll(() => field.inputValue()).toBe("");

	await field.fill("something else");
	await queue.getByRole("button", { name: "Remove from queue" }).click();
	const removed = page.getByRole("list", { name: "Removed from queue" });
	await removed.getByText("UNRULY:BLOCKS").waitFor();
	await page.reload();
	await removed.getByText("UNRULY:BLOCKS").waitFor();
	await expect.poll(() => field.inputValue()).toBe("something else");
	await removed.getByRole("button", { name: "Undo" }).click();
	await removed.waitFor({ state: "detached" });
	await queue.getByText("UNRULY:BLOCKS").waitFor();

	// What is typed in place of a queued message outlives a reload, and the run before it ends without sending either.
	const editor = queue.getByRole("textbox", { name: "Edit" });
	await queue.getByRole("button", { name: "Edit" }).click();
	await editor.fill("UNRULY:BLOCKS and more");
	expect(await editor.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
	await page.reload();
	await expect.poll(() => editor.inputValue()).toBe("UNRULY:BLOCKS and more");
	const other = await opened.another();
	await other.goto(page.url());
	const there = other.getByRole("region", { name: "Queued messages" });
	await expect.poll(() => there.getByRole("textbox", { name: "Edit" }).inputValue()).toBe("UNRULY:BLOCKS and more");
	await page.getByRole("button", { name: /Allow once/ }).click();
	await queue.getByText("Queue paused: the next message is being edited.").waitFor();
	expect(await page.locator("[data-turn]").count()).toBe(1);
	await editor.fill("UNRULY:BLOCKS");
	await queue.getByRole("button", { name: "Save" }).click();
	await queue.waitFor({ state: "detached" });
	await there.waitFor({ state: "detached" });
	await page.locator("[data-turn]").last().getByText('/notes.txt"').waitFor();
	expect(await field.inputValue()).toBe("something else");
	expect(faults).toEqual([]);
});

it("[D13] says what became of a message and of a removal whose requests alone were lost", async () => {
	await using opened = await openPage({ agents: [unrulyAgent()] });
	const { page, faults } = opened;
	const field = page.getByRole("textbox", { name: "Message" });
	const queue = page.getByRole("region", { name: "Queued messages" });
	await ask(page, "unruly", "UNRULY:SLOW 1200 100");
	await page
		.locator(".md")
		.getByText(/tick 3/)
		.waitFor();
	await page.route("**/api/queueMessage", (route) => route.abort("connectionfailed"));
	await field.fill("UNRULY:SAY never arrived");
	await field.press("Enter");
	const composer = page.getByRole("form", { name: "Message" });
	await composer.getByText("Your message didn’t arrive. Send it again.").waitFor();
	expect(await field.inputValue()).toBe("UNRULY:SAY never arrived");
	await page.unroute("**/api/queueMessage");
	// This time the app takes it, and only its answer is lost.
	await page.route("**/api/queueMessage", async (route) => {
		await route.fetch();
		await route.abort("connectionfailed");
	});
	await field.press("Enter");
	await queue.getByText("UNRULY:SAY never arrived").waitFor();
	await expect.poll(() => field.inputValue()).toBe("");
	expect(await composer.getByText("didn’t arrive").count()).toBe(0);
	await page.route("**/api/dropQueued", (route) => route.abort("connectionfailed"));
	await queue.getByRole("button", { name: "Remove from queue" }).click();
	await queue.getByText("Not removed. Try again.").waitFor();
	await page.unroute("**/api/dropQueued");
	await queue.getByRole("button", { name: "Remove from queue" }).click();
	await expect.poll(() => field.inputValue()).toBe("UNRULY:SAY never arrived");
	expect(faults).toEqual([]);
});
