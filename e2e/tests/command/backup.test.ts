import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../../support/app/command.ts";
import { listThreads, startApp } from "../../support/app/started-app.ts";
import { startBridge, writeProviders } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";
import { Occurrence } from "../../support/plans/plan-wire.ts";
import { turn } from "../../support/wire/turn.ts";

const written = "await tools.files.write({ path: 'report.md', text: '# hello' }); return 'done'";

it("a backup of a home at work has its finished work, and what was on its way is held and not sent again", async () => {
	await using home = await temporaryHome();
	await writeProviders(home, [unrulyAgent()]);
	const file = join(home.path, "kept.backup");
	{
		await using _app = await startApp(home);
		expect((await runCommand(home, ["run", "--provider", "script", written])).code).toBe(0);
		expect((await runCommand(home, ["run", "--provider", "unruly", "--detach", "UNRULY:SAY so far ;; SLOW 600 100"])).code).toBe(0);
		await waitUntil("the agent is at work", 20_000, async () =>
			(await listThreads(home)).some(({ turns }) => turns.at(-1)?.status === "running") ? true : undefined,
		);
		const later = ["plans", "create", "--in", "1h", "--dashboard", "--content", "Drink some water"];
		expect((await runCommand(home, later)).code).toBe(0);
		const backedUp = await runCommand(home, ["backup", file]);
		expect(backedUp.stdout).toMatch(/^Backed up \d+ files \(.+\) to .+kept\.backup$/m);
		expect(backedUp.code).toBe(0);
		expect((await runCommand(home, ["restore", file, "--replace"])).stderr).toContain("APP_HOME_IN_USE");
	}
	const restored = await runCommand(home, ["restore", file, "--replace"]);
	expect(restored.stdout).toContain("The previous data folder was moved to");
	expect(restored.stdout).toContain(
		"Active plans will be paused when XWorkmate starts, because they may still run where the backup was made.",
	);
	expect(restored.code).toBe(0);
	await using _app = await startApp(home);
	const threads = await waitUntil("the run that was under way has ended", 20_000, async () => {
		const now = await listThreads(home);
		return now.every(({ lifecycleStatus }) => lifecycleStatus === "ready") ? now : undefined;
	});
	expect(threads.map(({ lastResultCode }) => lastResultCode).sort()).toEqual(["interrupted", "success"]);
	const [done] = threads.filter(({ lastResultCode }) => lastResultCode === "success");
	const shown = await runCommand(home, ["open", done?.threadId ?? "", "--print"]);
	expect(readFileSync(join(shown.stdout.trim(), "report.md"), "utf8")).toBe("# hello");
	const cut = threads.find(({ lastResultCode }) => lastResultCode === "interrupted");
	expect((await runCommand(home, ["threads", "show", cut?.threadId ?? ""])).stdout).toContain("A backup was restored");
	expect((await runCommand(home, ["receipts", "verify"])).code).toBe(0);
	expect((await runCommand(home, ["plans", "list", "--status", "paused"])).stdout).toContain("Drink some water");
	await waitUntil("the mark is gone", 10_000, () => (existsSync(join(home.xworkmate, "bridge", "restored")) ? undefined : true));
	expect(existsSync(join(home.xworkmate, "app", "restored"))).toBe(false);
});

it("a run that was queued and a plan that was at work when the backup was made wait for the user", async () => {
	await using home = await temporaryHome();
	await writeProviders(home, [unrulyAgent()]);
	const file = join(home.path, "kept.backup");
	let queued = "";
	let planId = "";
	{
		await using bridge = await startBridge({ home });
		const client = bridge.client();
		await client.stream("session.start", turn({ threadId: "one", prompt: "UNRULY:SLOW 600 100", providerId: "unruly" }));
		const second = await client.stream("session.message", turn({ threadId: "one", prompt: "return 'sent twice'", providerId: "script" }));
		queued = (await second.until("it waits", ({ status }) => status === "queued")).runId;
		const desk = new PlanDesk(client);
		const work = [{ description: "UNRULY:SLOW 600 100" }];
		planId = (await desk.create({ work, routing: { executionTarget: "agent", providerId: "unruly" } })).planId;
		await desk.until(planId, "its work", ({ occurrence }) => occurrence?.status === "running");
		expect((await runCommand(home, ["backup", file])).code).toBe(0);
	}
	expect((await runCommand(home, ["restore", file, "--replace"])).code).toBe(0);
	await using bridge = await startBridge({ home });
	const client = bridge.client();
	expect(await client.rpc("xworkmate.tasks.get", { runId: queued })).toMatchObject({ status: "interrupted", code: "STORE_RESTORED" });
	const desk = new PlanDesk(client);
	expect(await desk.settled(planId)).toMatchObject({ status: "needs_review" });
	expect(Occurrence.parse((await desk.get(planId)).occurrence).runs).toHaveLength(1);
	expect(await desk.inbox()).toEqual([]);
});

it("restore refuses what is no backup, in words", async () => {
	await using home = await temporaryHome();
	const file = join(home.path, "no.backup");
	writeFileSync(file, "not a backup");
	const refused = await runCommand(home, ["restore", file]);
	expect(refused.code).toBe(1);
	expect(refused.stderr).toContain("BACKUP_DAMAGED");
	expect(refused.stderr).toContain("Nothing was restored. Use another backup.");
});

it("a thread with a worktree continues in the home that the backup was restored into, and the first home's worktree stays as it is", async () => {
	await using home = await temporaryHome();
	await writeProviders(home, [unrulyAgent()]);
	const folder = join(home.path, "projects", "one");
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, "a.txt"), "a\n");
	const git = (...args: readonly string[]) =>
		execFileSync("git", ["-c", "user.name=User", "-c", "user.email=user@localhost", ...args], { cwd: folder, encoding: "utf8" });
	for (const args of [
		["init", "--quiet"],
		["add", "--all"],
		["commit", "--quiet", "--message=first"],
	])
		git(...args);
	const inHome = (path: string) => {
		const env = { XWORKMATE_ALLOWED_ROOTS: join(home.path, "projects"), XWORKMATE_HOME: path };
		return (...args: readonly string[]) => runCommand(home, args, { env });
	};
	const [first, other] = [inHome(home.xworkmate), inHome(join(home.path, "other"))];
	const wrote = (name: string) => `UNRULY:WRITE ../../../../${name} text ;; SAY done`;
	expect((await first("run", "--provider", "unruly", "--cwd", folder, "--worktree", wrote("new.txt"))).code).toBe(0);
	const threadId = (await listThreads(home))[0]?.threadId ?? "";
	const file = join(home.path, "kept.backup");
	expect((await first("backup", file)).code).toBe(0);
	expect((await other("restore", file)).code).toBe(0);
	const verified = await other("doctor", "--verify", "--json");
	expect(verified.stdout).toContain("The records of what 1 thread changed in git repositories are usable.");
	const list = await other("changes", threadId);
	expect(list.stdout + list.stderr).toMatch(/other\/bridge\/worktrees[\s\S]+A new\.txt/);
	const ran = await other("run", "--thread", threadId, "--provider", "unruly", "--cwd", folder, "--worktree", wrote("later.txt"));
	expect(ran.code, ran.stderr).toBe(0);
	expect(ran.stdout + ran.stderr).toContain("1 file changed in the worktree during the run: later.txt (new)");
	expect((await other("changes", threadId)).stdout).toContain("A later.txt");
	expect((await first("changes", threadId)).stdout).not.toContain("later.txt");
	expect((await other("threads", "delete", threadId, "--yes")).code).toBe(0);
	expect((await first("changes", threadId)).stdout).toContain("A new.txt");
}, 120_000);
