import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { expectAccessible } from "../support/page/expect-accessible.ts";
import { type OpenedPage, openPage } from "../support/page/opened-page.ts";

const env: Record<string, string> = {};
let opened: OpenedPage;
let folder: string;
let called: string;

beforeAll(async () => {
	opened = await openPage({
		agents: [unrulyAgent()],
		env,
		prepare: (home) => {
			const editor = join(home.path, "editor.mjs");
			called = join(home.path, "called.json");
			writeFileSync(
				editor,
				`import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(called)}, JSON.stringify(process.argv.slice(2)));`,
			);
			env.XWORKMATE_EDITOR = `"${process.execPath}" "${editor}"`;
			env.XWORKMATE_ALLOWED_ROOTS = join(home.path, "projects");
			folder = join(home.path, "projects", "site");
			mkdirSync(folder, { recursive: true });
			for (const name of ["a.txt", "b.txt"]) writeFileSync(join(folder, name), `${name}\n`);
			const git = (...args: string[]) =>
				execFileSync("git", ["-c", "user.name=User", "-c", "user.email=user@localhost", ...args], { cwd: folder });
			git("init", "--quiet");
			git("add", "--all");
			git("commit", "--quiet", "--message=first");
		},
	});
});
afterAll(() => opened[Symbol.asyncDispose]());

it("shows what a run in a worktree changed, by keyboard and without a serious finding, and applies one file of it", async () => {
	const { page } = opened;
	await page.getByRole("navigation", { name: "Threads" }).waitFor({ state: "attached" });
	await page.keyboard.press("Control+n");
	await page.getByRole("button", { name: /^Agent:/ }).click();
	await page.locator('[role=option][data-provider="unruly"]').click();
	expect(await page.getByRole("button", { name: "Worktree" }).count()).toBe(0);
	await page.getByRole("button", { name: "Folder" }).click();
	await page.getByRole("button", { name: "site", exact: true }).click();
	await page.getByRole("button", { name: "Use this folder" }).click();
	const worktree = page.getByRole("button", { name: "Worktree" });
	expect(await worktree.getAttribute("aria-pressed")).toBe("false");
	await worktree.click();
	await page.getByRole("textbox", { name: "Message" }).fill("UNRULY:WRITE ../../../../a.txt A ;; WRITE ../../../../b.txt B ;; SAY done");
	await page.keyboard.press("Enter");
	await page.locator("[data-outcome]").waitFor();
	expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("a.txt\n");

	await page.getByRole("link", { name: "Changes" }).press("Enter");
	await page.getByRole("list", { name: "Changed files" }).waitFor();
	await expectAccessible(page);
	const row = page.getByRole("button", { name: /^a\.txt/ });
	await row.focus();
	await page.keyboard.press("Enter");
	const diff = page.getByRole("region", { name: "Changes to a.txt" });
	await diff.waitFor();
	expect(await diff.textContent()).toMatch(/−\s*a\.txt[\s\S]*\+\s*A/);
	await expectAccessible(page);
	await page.getByRole("button", { name: "Open a.txt in your editor" }).press("Enter");
	// The run's own version, which is not in the user's folder yet.
	await expect.poll(() => readFileSync(called, { encoding: "utf8", flag: "a+" })).toMatch(/^\["\/.*\/a\.txt"\]$/);
	const [inEditor = ""] = JSON.parse(readFileSync(called, "utf8")) as readonly string[];
	expect([inEditor === join(folder, "a.txt"), readFileSync(inEditor, "utf8")]).toEqual([false, "A"]);
	await page.getByRole("checkbox", { name: "Select b.txt" }).press("Space");
	await page.getByRole("button", { name: "Apply" }).press("Enter");
	await page.getByText(/Applied 1 file to/).waitFor();
	expect([readFileSync(join(folder, "a.txt"), "utf8"), readFileSync(join(folder, "b.txt"), "utf8")]).toEqual(["A", "b.txt\n"]);
	await page.getByRole("checkbox", { name: "Select a.txt" }).waitFor({ state: "detached" });

	await page.getByRole("checkbox", { name: "Select b.txt" }).check();
	await page.getByRole("button", { name: "Discard…" }).press("Enter");
	const dialog = page.getByRole("alertdialog");
	await dialog.waitFor();
	await expectAccessible(page);
	await dialog.getByRole("button", { name: "Discard" }).press("Enter");
	await page.getByText("No unapplied changes in the compared files.").waitFor();
	expect(opened.faults).toEqual([]);
});
