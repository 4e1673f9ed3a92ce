import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { runCommand } from "../app/command.ts";
import { type StartedApp, startApp } from "../app/started-app.ts";
import type { AgentEntry } from "../bridge/providers.ts";
import { type TemporaryHome, temporaryHome } from "../machine/temporary-home.ts";

/** The system's own; `CHROMIUM` names another. */
const program = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** An app that runs, and a browser that was let in by a link. */
export interface OpenedPage extends AsyncDisposable {
	readonly home: TemporaryHome;
	readonly app: StartedApp;
	readonly page: Page;
	/** Another window of the same browser. */
	another(): Promise<Page>;
	/** A browser without a session. */
	stranger(): Promise<Page>;
	/** What went wrong in `page` or in `another`: faults of its program, and what its policy refused. */
	readonly faults: readonly string[];
	/** The page's address without a hash. */
	readonly url: string;
	/** The app is stopped and started again in the same home, on another port; the page is let in again. */
	restart(): Promise<void>;
	/** The app is killed under the open page; its bridge lives on, and the app that is started next takes it over. */
	killApp(): Promise<void>;
}

export async function openPage(
	options: {
		readonly agents?: readonly AgentEntry[];
		readonly env?: Record<string, string>;
		/** Puts something into the home before the app starts. */
		readonly prepare?: (home: TemporaryHome) => void | Promise<void>;
	} = {},
): Promise<OpenedPage> {
	const home = await temporaryHome();
	if (options.agents !== undefined) await writeFile(join(home.xworkmate, "providers.json"), JSON.stringify({ agents: options.agents }));
	await options.prepare?.(home);
	let app = await startApp(home, options.env);
	// A browser without a locale attaches no file whose path has letters beyond ASCII, as the homes of tests have.
	const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"], env: { ...process.env, LC_ALL: "C.UTF-8" } });
	const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
	const faults: string[] = [];
	watch(context, faults);
	const page = await context.newPage();
	let isKilled = false;
	let url = await letIn(home, app, page);
	return {
		home,
		page,
		faults,
		get app() {
			return app;
		},
		get url() {
			return url;
		},
		async another() {
			const second = await context.newPage();
			await second.goto(url);
			return second;
		},
		async stranger() {
			const page = await (await browser.newContext()).newPage();
			await page.goto(url);
			return page;
		},
		async killApp() {
			app.command.kill("SIGKILL");
			await app.command.ended;
			isKilled = true;
		},
		async restart() {
			if (!isKilled) await app[Symbol.asyncDispose]();
			isKilled = false;
			app = await startApp(home, options.env);
			url = await letIn(home, app, page);
		},
		[Symbol.asyncDispose]: () => end(browser, app, home),
	};
}

/** By the link that `xworkmate open` prints, once the page is built: the first start of a checkout builds it. */
async function letIn(home: TemporaryHome, { command }: StartedApp, page: Page): Promise<string> {
	await command.until(/XWorkmate is running/);
	const { stdout, stderr, code } = await runCommand(home, ["open", "--print"]);
	if (code !== 0) throw new Error(`open ended with ${code}: ${stderr}`);
	const link = stdout.trim();
	await page.goto(link);
	return new URL("/", link).href;
}

function watch(context: BrowserContext, faults: string[]): void {
	context.on("weberror", (fault) => faults.push(String(fault.error())));
	context.on("console", (message) => {
		if (message.type() === "error" && /Content Security Policy|Refused to|Uncaught/.test(message.text())) faults.push(message.text());
	});
}

async function end(browser: Browser, app: StartedApp, home: TemporaryHome): Promise<void> {
	await browser.close();
	await app[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
}

/** Writes a message for one agent in a new thread and sends it. */
export async function ask(page: Page, agent: string, prompt: string, required: readonly string[] = []): Promise<void> {
	await page.getByRole("navigation", { name: "Threads" }).waitFor({ state: "attached" });
	await page.keyboard.press("Control+n");
	await page.getByRole("heading", { name: "What do you want to get done?" }).waitFor();
	await page.getByRole("button", { name: /^Agent:/ }).click();
	await page.locator(`[role=option][data-provider="${agent}"]`).click();
	if (required.length > 0) await page.getByRole("button", { name: "Required files" }).click();
	for (const glob of required) {
		await page.getByRole("textbox", { name: "Add a required file" }).fill(glob);
		await page.keyboard.press("Enter");
	}
	await page.getByRole("textbox", { name: "Message" }).fill(prompt);
	await page.keyboard.press("Enter");
	await page.locator("[data-turn]").first().waitFor();
}
