import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { runCommand, startCommand } from "../../support/app/command.ts";
import { type StartedApp, startApp } from "../../support/app/started-app.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";

const Plan = z.looseObject({ planId: z.string(), threadId: z.string(), status: z.string(), nextDueAt: z.string().optional() });
const Row = z.looseObject({ messageId: z.string(), title: z.string(), text: z.string(), planId: z.string() });

let home: TemporaryHome;
let app: StartedApp;

beforeAll(async () => {
	home = await temporaryHome();
	app = await startApp(home);
});
afterAll(async () => {
	await app[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

const plans = (...args: string[]) => runCommand(home, ["plans", ...args]);

async function created(...args: string[]) {
	const made = await plans("create", "--dashboard", "--json", ...args);
	expect(made.code, made.stderr).toBe(0);
	return Plan.parse(JSON.parse(made.stdout));
}

/** What the inbox has of a plan. */
async function inbox(planId: string) {
	const { stdout } = await runCommand(home, ["inbox", "list", "--json"]);
	return z
		.object({ items: z.array(Row) })
		.parse(JSON.parse(stdout))
		.items.filter((row) => row.planId === planId);
}

it("[T2-56][T2-57][T2-86] sends a message exactly as it was given, asks no agent, and follows it to its end", async () => {
	expect((await plans()).stdout).toContain("There are no plans.");
	const content = "Don't forget to call mom";
	const { planId, threadId } = await created("--content", content);
	expect(await plans("watch", planId)).toMatchObject({ code: 0, stdout: expect.stringContaining("Completed") });
	expect(await inbox(planId)).toMatchObject([{ text: content }]);
	expect((await runCommand(home, ["tasks", "--thread", threadId])).stdout).not.toContain("run-");
	const [row] = await inbox(planId);
	expect(await runCommand(home, ["inbox", "show", row?.messageId ?? ""])).toMatchObject({
		code: 0,
		stdout: expect.stringContaining(content),
	});
	expect((await runCommand(home, ["inbox", "list", "--unread"])).stdout).toContain("No unread messages.");
});

it("[T2-55][T2-83] an agent's work becomes a run of the plan's thread, with its title, its answer and its files; the message alone is sent", async () => {
	const program = "await tools.files.write({ path: 'beaches.md', text: '# Sanur' }); console.log('thinking'); return 'Sanur is best'";
	const { planId, threadId } = await created("--title", "Beaches", "--agent", "script", "--instructions", program);
	const watched = await plans("watch", planId);
	expect(watched.code, watched.stdout).toBe(0);
	expect(await inbox(planId)).toMatchObject([{ title: "Beaches", text: "Sanur is best" }]);
	const shown = await runCommand(home, ["threads", "show", threadId]);
	expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining("Beaches") });
	expect(shown.stdout).toContain("Started by a plan");
	expect(shown.stdout).toContain("Sanur is best");
});

it("[T2-88][T2-89] what an agent declines is held with a code of its own, and leaves only as it was previewed", async () => {
	const { planId } = await created("--title", "Declines", "--agent", "script", "--instructions", "return 'NONE'");
	expect(await plans("watch", planId)).toMatchObject({ code: 9, stdout: expect.stringContaining("The agent declined (GATE_DECLINED)") });
	expect(await inbox(planId)).toEqual([]);
	const file = join(home.path, "message.md");
	await writeFile(file, "My own words\n");
	const shown = await plans("review", planId, "--edit", file);
	expect(shown).toMatchObject({ code: 9, stdout: expect.stringContaining("My own words") });
	expect(await plans("review", planId, "--edit", file, "--payload", "0".repeat(12))).toMatchObject({ code: 1 });
	expect(await inbox(planId)).toEqual([]);
	const [, hash = ""] = /--payload ([0-9a-f]{12})$/m.exec(shown.stdout) ?? [];
	const sent = await plans("review", planId, "--edit", file, "--payload", hash);
	expect(sent.code, sent.stderr).toBe(0);
	expect(await plans("watch", planId)).toMatchObject({ code: 0 });
	expect(await inbox(planId)).toMatchObject([{ text: "My own words" }]);
	expect(await plans("review", planId, "--discard")).toMatchObject({ code: 1, stderr: expect.stringContaining("(NOTHING_WAITS)") });
	expect(await plans("resend", planId)).toMatchObject({ code: 1, stderr: expect.stringContaining("--allow-duplicate") });
});

it("[T2-70] a time is local and said back in words; a plan is paused, resumed, run beside its schedule and deleted", async () => {
	const made = await plans("create", "--dashboard", "--in", "1m", "--content", "Drink some water");
	expect(made.stdout).toMatch(/Due in (?:1 min|59 s), (?:at|tomorrow at) \d\d:\d\d\./);
	const [, planId = ""] = / {2}plan (\S+),/.exec(made.stdout) ?? [];
	expect(await plans("pause", planId)).toMatchObject({ code: 0, stdout: expect.stringContaining("Paused") });
	expect(await plans("resume", planId)).toMatchObject({ code: 0, stdout: expect.stringContaining("Scheduled") });
	expect(await plans("run", planId, "--wait")).toMatchObject({ code: 0, stdout: expect.stringContaining("run by hand") });
	expect(await inbox(planId)).toHaveLength(1);
	// Each due time has a message of its own, even with the same text at the same minute.
	expect(await plans("run", planId, "--wait")).toMatchObject({ code: 0 });
	expect(await inbox(planId)).toHaveLength(2);
	expect(await plans("delete", planId, "--yes")).toMatchObject({ code: 0, stdout: expect.stringContaining("Deleted") });
	expect((await plans()).stdout).not.toContain(planId);
});

it("refuses with what to type instead, and changes nothing", async () => {
	const before = (await plans()).stdout;
	expect(await plans("create", "--dashboard", "--title", "Empty", "--content", " ")).toMatchObject({
		code: 2,
		stderr: expect.stringContaining("The message is empty. (INVALID_INPUT)\n  Write the message"),
	});
	expect((await plans()).stdout).toBe(before);
	expect(await plans("create", "--email", "me", "--content", "hi")).toMatchObject({
		code: 1,
		stderr: expect.stringContaining("channels setup email"),
	});
	expect(await plans("create", "--dashboard", "--content", "hi", "--cron", "* * *")).toMatchObject({
		code: 1,
		stderr: expect.stringContaining("(SCHEDULE_INVALID)"),
	});
	expect(await plans("show", "nowhere")).toMatchObject({ code: 1, stderr: expect.stringContaining("(NOT_FOUND)") });
	const password = "a-password-of-the-mailbox";
	const typed = await runCommand(home, ["channels", "setup", "email", "--host", "127.0.0.1", "--user", "me", password]);
	expect(typed.code).toBe(2);
	expect(typed.stdout + typed.stderr).not.toContain(password);
	const stored = await runCommand(home, ["channels", "setup", "email", "--host", "127.0.0.1", "--user", "me@example.com"], {
		stdin: `${password}\n`,
	});
	expect(stored.stdout + stored.stderr).not.toContain(password);
	expect((await runCommand(home, ["channels", "list"])).stdout).toContain("password (stored)");
	expect((await runCommand(home, ["logs"])).stdout).not.toContain(password);
});

it("a watcher that was there before sees the time come due", async () => {
	const { planId } = await created("--in", "2s", "--content", "soon");
	const watching = startCommand(home, ["plans", "watch", planId]);
	await watching.until(/Inbox: Delivered/, 20_000);
	expect(await watching.ended).toMatchObject({ code: 0 });
});

it("Ctrl+C while a plan is followed ends with 130, and says that the plan continues", async () => {
	const { planId } = await created("--content", "Later", "--in", "2h");
	const watching = startCommand(home, ["plans", "watch", planId]);
	await watching.until(/\S/);
	watching.kill("SIGINT");
	const { code, stderr } = await watching.ended;
	expect(code, stderr).toBe(130);
	expect(stderr).toMatch(
		new RegExp(`Nothing was cancelled: .*\n  Follow it again: .* plans watch ${planId}\n  Cancel it: .* plans cancel ${planId}\n$`),
	);
	expect((await plans("show", planId)).stdout).toContain("Scheduled");
});
