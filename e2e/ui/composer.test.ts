import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { temporaryHome } from "../support/machine/temporary-home.ts";
import { type OpenedPage, openPage } from "../support/page/opened-page.ts";

let opened: OpenedPage;
let project: string;
const cleanup = new AsyncDisposableStack();

beforeAll(async () => {
	const roots = cleanup.use(await temporaryHome());
	project = join(roots.path, "a project");
	await mkdir(join(project, "inner"), { recursive: true });
	opened = cleanup.use(
		await openPage({ agents: [unrulyAgent("unruly", { UNRULY_MODELS: "small,large" })], env: { XWORKMATE_ALLOWED_ROOTS: project } }),
	);
	opened.page.setDefaultTimeout(15_000);
});
afterAll(() => cleanup.disposeAsync());

const message = (page: Page) => page.getByRole("textbox", { name: "Message" });

async function beginNew(page: Page): Promise<void> {
	await page.getByRole("navigation", { name: "Threads" }).waitFor();
	await page.keyboard.press("Control+n");
	await page.getByRole("heading", { name: "What do you want to get done?" }).waitFor();
}

async function choose(page: Page, agent: string): Promise<void> {
	await page.getByRole("button", { name: /^Agent:/ }).click();
	await page.locator(`[role=option][data-provider="${agent}"]`).click();
}

/** What a browser hands over when a file is dropped or pasted. */
function carried(name: string, text: string): string {
	return `(() => {
		const carried = new DataTransfer();
		carried.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}, { type: "text/plain" }));
		return carried;
	})()`;
}

async function paste(page: Page, name: string, text: string): Promise<void> {
	const event = `new ClipboardEvent("paste", { clipboardData: ${carried(name, text)}, bubbles: true, cancelable: true })`;
	await page.evaluate(`document.querySelector("form.box textarea").dispatchEvent(${event})`);
}

it("takes files by choice, drop and paste, tells two of one name apart, and gives each to the agent", async () => {
	const { page, home } = opened;
	const chosen = join(home.path, "notes.txt");
	await writeFile(chosen, "hello");
	await beginNew(page);
	await choose(page, "unruly");
	await page.locator("input[type=file]").setInputFiles([chosen]);
	await page.locator("main").dispatchEvent("drop", { dataTransfer: await page.evaluateHandle(carried("notes.txt", "dropped")) });
	await paste(page, "Notes.txt", "pasted");
	const attached = page.getByRole("list", { name: "Attached files" });
	for (const name of ["notes.txt", "notes-2.txt", "Notes-3.txt"]) await attached.getByText(name, { exact: true }).waitFor();
	await attached.getByText("TXT, 5 B", { exact: true }).waitFor();
	await message(page).fill("UNRULY:BLOCKS ;; DIE 3");
	await page.keyboard.press("Enter");
	await page.locator("[data-outcome=bad]").waitFor();
	const said = page.locator("[data-turn]").last().locator(".md").first();
	for (const name of ["notes.txt", "notes-2.txt", "Notes-3.txt"]) expect(await said.textContent()).toContain(`/${name}"`);

	// The same message whole, though its bytes went with the first one.
	await page.getByRole("button", { name: "Retry" }).click();
	await page.locator("[data-outcome=bad]").nth(1).waitFor();
	expect(await page.locator("[data-turn]").last().locator(".md").first().textContent()).toContain('/Notes-3.txt"');
	expect(await page.locator(".me").nth(1).textContent()).toContain("notes-2.txt 7 B");
	// The first one's are not kept any more: it is written into the composer, and says which files it lacks.
	await page.getByRole("button", { name: "Retry" }).first().click();
	const missing = page.getByRole("region", { name: "Files that aren’t attached" });
	await missing.getByText("These files are no longer available. Attach them again: notes.txt, notes-2.txt, Notes-3.txt").waitFor();
	expect(await message(page).inputValue()).toBe("UNRULY:BLOCKS ;; DIE 3");
	await message(page).fill("");
});

it("refuses at once what cannot be sent: files that are too large, alone and together, and patterns that are none", async () => {
	const { page, home } = opened;
	const large = join(home.path, "large.bin");
	const nine = join(home.path, "nine.bin");
	await writeFile(large, Buffer.alloc(10 * 1024 * 1024 + 1));
	await writeFile(nine, Buffer.alloc(9 * 1024 * 1024));
	await beginNew(page);
	await choose(page, "unruly");
	await message(page).fill("go");
	await page.locator("input[type=file]").setInputFiles([large, nine, nine, nine]);
	await page.getByText(/Won’t be sent: larger than /).waitFor();
	await page
		.getByRole("alert")
		.getByText(/^Attachments total .* The limit is .* Remove a file to send\./)
		.waitFor();
	const send = page.getByRole("button", { name: "Send", exact: true });
	expect(await send.isDisabled()).toBe(true);
	// Some 30 MB are being read meanwhile.
	await page.getByRole("button", { name: "Remove nine-2.bin" }).click({ timeout: 60_000 });
	await expect.poll(() => send.isEnabled()).toBe(true);
	for (const name of ["large.bin", "nine.bin", "nine-3.bin"]) await page.getByRole("button", { name: `Remove ${name}` }).click();

	await page.getByRole("button", { name: "Required files" }).click();
	await page.getByRole("textbox", { name: "Add a required file" }).fill("../up.txt");
	await page.keyboard.press("Enter");
	await page.getByRole("alert").getByText("Use a relative path without “..”").waitFor();
	await page.getByRole("textbox", { name: "Add a required file" }).fill("");
	await page.getByRole("button", { name: "Required files" }).click();
	expect(await page.getByRole("textbox", { name: "Add a required file" }).count()).toBe(0);

	await page.getByRole("button", { name: /^Agent:/ }).click();
	const absent = page.locator("[role=option][aria-disabled=true]").first();
	await absent.getByText("Not installed", { exact: true }).waitFor();
	await absent.press("Enter");
	await page.getByRole("button", { name: "Copy command" }).waitFor();
	await page.keyboard.press("Escape");
	await page.getByRole("button", { name: "Agent: Unruly (unruly)" }).waitFor();
});

it("keeps a draft whole over a reload: words, agent, project folder, required files with counts", async () => {
	const { page } = opened;
	await beginNew(page);
	await page.getByRole("button", { name: "Required files" }).click();
	const added = page.getByRole("textbox", { name: "Add a required file" });
	await added.fill("photos/*.jpg");
	await added.press("Enter");
	await page.getByRole("spinbutton", { name: "Minimum number of photos/*.jpg files" }).fill("4");
	await page.getByRole("button", { name: "Folder" }).click();
	await page.getByRole("button", { name: "inner" }).click();
	await page.getByRole("button", { name: "Use this folder" }).click();
	await choose(page, "unruly");
	await message(page).fill("UNRULY:ASK look ;; SAY hello");
	// No waiting: what was typed last is kept by a page that goes away.
	await page.reload();
	await expect.poll(() => message(page).inputValue()).toBe("UNRULY:ASK look ;; SAY hello");
	expect(await page.getByRole("spinbutton").inputValue()).toBe("4");
	await page.getByRole("button", { name: "Agent: Unruly (unruly)" }).waitFor();
	await page.getByRole("button", { name: "Folder: inner" }).waitFor();
	await message(page).press("Enter");
	// The request says where it would act: in the project's folder.
	await page.locator("[data-approval] dd").getByText(join(project, "inner")).waitFor();
	await page.getByRole("button", { name: /Deny/ }).click();
	await page.locator("[data-outcome=miss]").getByText("Missing: 4 × photos/*.jpg.").waitFor();
});

it("keeps an attached file over a reload and in another window, and gives it to the agent with the message", async () => {
	const { page, home } = opened;
	const kept = join(home.path, "kept.txt");
	await writeFile(kept, "hello");
	await beginNew(page);
	await choose(page, "unruly");
	await page.locator("input[type=file]").setInputFiles([kept]);
	await page.getByText("Draft saved").waitFor();
	await page.reload();
	const attached = (one: Page) => one.getByRole("list", { name: "Attached files" });
	await attached(page).getByText("TXT, 5 B", { exact: true }).waitFor();
	const second = await opened.another();
	await beginNew(second);
	await attached(second).getByText("kept.txt", { exact: true }).waitFor();
	await second.close();
	await message(page).fill("UNRULY:BLOCKS");
	await page.keyboard.press("Enter");
	await page.locator("[data-outcome=ok]").waitFor();
	expect(await page.locator("[data-turn]").last().locator(".md").first().textContent()).toContain('/kept.txt"');
	await beginNew(page);
	await page.reload();
	await page.getByRole("heading", { name: "What do you want to get done?" }).waitFor();
	expect(await attached(page).count()).toBe(0);
	expect(await message(page).inputValue()).toBe("");
	await page.goBack();
});

it("asks for a model where the agent lists them, and the agent takes it", async () => {
	const { page } = opened;
	await page.getByRole("button", { name: /^Agent:/ }).click();
	const models = page.getByRole("combobox", { name: "Model" });
	await models.waitFor();
	await models.selectOption("large");
	await page.keyboard.press("Escape");
	await message(page).fill("UNRULY:MODEL");
	await page.keyboard.press("Enter");
	await page.locator("[data-turn]").last().getByText("model large").waitFor();
});

it("sends by Enter alone: not with Shift, not while an input method composes; Up brings back what was asked", async () => {
	const { page } = opened;
	await beginNew(page);
	await choose(page, "unruly");
	await message(page).focus();
	await page.keyboard.type("UNRULY:SAY one");
	await page.keyboard.press("Shift+Enter");
	const session = await page.context().newCDPSession(page);
	await session.send("Input.imeSetComposition", { text: "か", selectionStart: 1, selectionEnd: 1 });
	await page.keyboard.press("Enter");
	expect(await page.getByRole("heading", { name: "What do you want to get done?" }).isVisible()).toBe(true);
	await session.send("Input.imeSetComposition", { text: "", selectionStart: 0, selectionEnd: 0 });
	await session.detach();
	await message(page).fill("UNRULY:SAY one\nand a second line");
	await page.keyboard.press("Enter");
	await page.locator("[data-outcome=ok]").waitFor();
	await message(page).press("ArrowUp");
	expect(await message(page).inputValue()).toBe("UNRULY:SAY one\nand a second line");
	await message(page).press("ArrowUp");
	expect(await message(page).inputValue()).toBe("UNRULY:MODEL");
	await message(page).press("ArrowDown");
	await message(page).press("ArrowDown");
	expect(await message(page).inputValue()).toBe("");
	expect(opened.faults).toEqual([]);
});
