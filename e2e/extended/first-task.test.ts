import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { expect, test } from "vitest";
import { type RunningCommand, runCommand, startCommand } from "../support/app/command.ts";
import { syncedFiles } from "../support/app/thread-folder.ts";
import { installPackage } from "../support/installed/install-package.ts";
import { expectNoProcessNaming } from "../support/machine/live-processes.ts";
import { registryAccess } from "../support/machine/registry-access.ts";
import { temporaryHome } from "../support/machine/temporary-home.ts";
import { startFakeModel } from "../support/model/fake-model.ts";

const ACTIONS = 5;
const INSTALL_MS = 200_000;

/** Does what a person does on the page, and counts it. */
class Person {
	readonly page: Page;
	readonly done: string[] = [];

	constructor(page: Page) {
		this.page = page;
	}

	async press(name: string | RegExp): Promise<void> {
		await this.page.getByRole("button", { name }).first().click();
		this.done.push(`press ${name}`);
	}

	async type(into: string, text: string): Promise<void> {
		await this.page.getByRole("textbox", { name: into, exact: true }).fill(text);
		this.done.push(`type into ${into}`);
	}

	async key(name: string): Promise<void> {
		await this.page.keyboard.press(name);
		this.done.push(`key ${name}`);
	}
}

test("from the installed package to a real agent's first task: two commands, then at most five actions on the page", async () => {
	const folder = await mkdtemp(join(tmpdir(), "first-task-"));
	await using undo = new AsyncDisposableStack();
	undo.defer(() => rm(folder, { recursive: true, force: true }));
	const installed = await installPackage(folder);
	const home = undo.use(await temporaryHome());
	const model = undo.use(await startFakeModel());
	// The last two stand for the maker of the model, which is not this computer's to reach.
	const env = {
		...{ PATH: [installed.bin, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter), ...registryAccess() },
		...{ OPENAI_HOST: model.url, OPENAI_BASE_PATH: "v1/chat/completions" },
	};
	const program = join(installed.folder, "programs", "xworkmate.js");
	const command = await runCommand(home, ["agents", "install", "goose"], { env, program, boundMs: INSTALL_MS });
	expect(command.stdout + command.stderr).toContain("is installed");

	const app: RunningCommand = startCommand(home, ["start"], { env, program });
	undo.defer(async () => {
		app.kill("SIGTERM");
		await app.ended;
		await expectNoProcessNaming(home.path);
	});
	const [link = ""] = await app.until(/http:\/\/127\.0\.0\.1:\d+\/open\/\S+/);
	const browser = await chromium.launch({
		executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
		args: ["--no-sandbox"],
		env: { ...process.env, LC_ALL: "C.UTF-8" },
	});
	undo.defer(() => browser.close());
	const page = await browser.newPage();
	page.setDefaultTimeout(30_000);
	await page.goto(link);

	const person = new Person(page);
	await person.press("Sign in to goose");
	await page.getByLabel("API key", { exact: true }).fill("dummy-key-of-goose");
	person.done.push("type the key");
	await person.press("Save and test");
	// Its agent is chosen, and its field has the focus.
	await page.getByRole("button", { name: /^Agent:.*goose/ }).waitFor();
	await person.type("Message", "FAKE:SAY hello from goose");
	await person.key("Enter");
	await page.locator(".md").getByText("hello from goose").waitFor();
	await page.locator("[data-outcome=ok]").waitFor();
	expect(person.done.length, person.done.join(", ")).toBeLessThanOrEqual(ACTIONS);
	expect(await syncedFiles(home)).toEqual({});
});
