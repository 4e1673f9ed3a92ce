import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { z } from "zod";
import { runCommand } from "../../support/app/command.ts";
import { startBridge, writeProviders } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { settle } from "../../support/bridge/settle.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import type { BareClient } from "../../support/wire/bare-client.ts";
import { refused } from "../../support/wire/refused.ts";
import { turn } from "../../support/wire/turn.ts";

const Threads = z.array(z.looseObject({ threadId: z.string() }));
const EditList = z.looseObject({
	seen: z.string(),
	directory: z.string(),
	branch: z.string().optional(),
	total: z.number(),
	files: z.array(z.looseObject({ path: z.string(), status: z.string() })),
	unfinished: z.unknown().optional(),
});

function git(folder: string, ...args: readonly string[]): string {
	const identity = ["-c", "user.name=User", "-c", "user.email=user@localhost", "-c", "init.defaultBranch=main"];
	return execFileSync("git", [...identity, ...args], {
		cwd: folder,
		encoding: "utf8",
		env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: folder },
	});
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
	for (const [path, text] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), text);
	}
}

/** A user's repository in their home folder. */
function project(home: TemporaryHome): string {
	const folder = join(home.path, "projects", "one");
	write(folder, { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n", "src/d.txt": "d\n" });
	git(folder, "init", "--quiet");
	git(folder, "add", "--all");
	git(folder, "commit", "--quiet", "--message=first");
	return folder;
}

/** Every byte of the work tree, and what git says about it. */
function bytesOf(folder: string): Record<string, string> {
	const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	const files = names.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => !path.includes(`${folder}/.git/`));
	const kept = ["index", "HEAD", "config", "refs/heads/main"].map((name) => join(folder, ".git", name));
	return Object.fromEntries([...files, ...kept].map((path) => [path, readFileSync(path, "base64")]));
}

/** What the agent writes into the folder that it works in, which is four above the scope. */
const writing = (files: Readonly<Record<string, string>>) =>
	`UNRULY:${Object.entries(files)
		.map(([path, text]) => `WRITE ../../../../${path} ${text}`)
		.join(" ;; ")} ;; SAY done`;

const six = { "a.txt": "A", "b.txt": "B", "c.txt": "C", "src/d.txt": "D", "new.txt": "N", "src/new.txt": "N" };

it("works in a worktree: six files change, the checkout stays as it is, three are applied and the rest discarded", async () => {
	await using home = await temporaryHome();
	const folder = project(home);
	await writeProviders(home, [unrulyAgent()]);
	const env = { XWORKMATE_ALLOWED_ROOTS: join(home.path, "projects") };
	const command = async (...args: readonly string[]) => {
		const ended = await runCommand(home, args, { env });
		return { ...ended, said: ended.stdout + ended.stderr };
	};
	const before = bytesOf(folder);
	const ran = await command("run", "--provider", "unruly", "--cwd", folder, "--worktree", writing(six));
	expect(ran.code, ran.said).toBe(0);
	expect(bytesOf(folder)).toEqual(before);

	const listed = await command("threads", "--json");
	const threadId =
		Threads.parse(
			listed.stdout
				.trim()
				.split("\n")
				.flatMap((line): unknown => JSON.parse(line)),
		)[0]?.threadId ?? "";
	const list = await command("changes", threadId);
	expect(list.said).toContain("6 files changed");
	for (const path of Object.keys(six)) expect(list.stdout).toMatch(new RegExp(`[AM] ${path.replace(".", "\\.")}  \\+1`));
	expect((await command("changes", threadId, "--diff", "a.txt")).stdout).toContain("-a\n+A\n");

	const more = await command("run", "--thread", threadId, "--provider", "unruly", writing({ "a.txt": "A" }));
	expect([more.code, more.said]).toEqual([0, expect.stringContaining(`Continuing in the thread's worktree of ${folder}.`)]);
	expect(bytesOf(folder)).toEqual(before);
	expect((await command("changes", threadId)).said).toContain("6 files changed");

	const asked = await command("changes", threadId, "--discard", "--all");
	expect([asked.code, asked.said]).toEqual([1, expect.stringContaining("--yes")]);
	const applied = await command("changes", threadId, "--apply", "a.txt", "src/d.txt", "src/new.txt");
	expect([applied.code, applied.said]).toEqual([0, expect.stringContaining("Applied 3 files")]);
	const discarded = await command("changes", threadId, "--discard", "--all", "--yes");
	expect([discarded.code, discarded.said]).toEqual([0, expect.stringContaining("Discarded 3 files")]);
	expect((await command("changes", threadId)).said).toContain("no changes");
	expect(
		git(folder, "status", "--porcelain")
			.trim()
			.split("\n")
			.map((line) => line.trim())
			.toSorted(),
	).toEqual(["?? src/new.txt", "M a.txt", "M src/d.txt"]);
	expect(git(folder, "log", "--format=%s")).toBe("first\n");

	const deleted = await command("threads", "delete", threadId, "--yes");
	expect(deleted.code, deleted.said).toBe(0);
	expect(git(folder, "worktree", "list").trim().split("\n")).toHaveLength(1);
	expect(git(folder, "branch").trim()).toBe("* main");
});

it("names the branch on which the changes of a deleted thread are kept, also if nobody was asked", async () => {
	await using home = await temporaryHome();
	const folder = project(home);
	await writeProviders(home, [unrulyAgent()]);
	const env = { XWORKMATE_ALLOWED_ROOTS: join(home.path, "projects") };
	const ran = await runCommand(
		home,
		["run", "--json", "--provider", "unruly", "--cwd", folder, "--worktree", writing({ "new.txt": "N" })],
		{
			env,
		},
	);
	const threadId = /"threadId":"([^"]+)"/.exec(ran.stdout)?.[1] ?? "";
	const deleted = await runCommand(home, ["threads", "delete", threadId, "--yes"], { env });
	const branch = /on the branch (\S+), which is kept/.exec(deleted.stdout)?.[1] ?? "none";
	expect(git(folder, "show", `${branch}:new.txt`)).toContain("N");
});

it("discards what a run changed in the user's folder, but no line that the user typed after it", async () => {
	await using home = await temporaryHome();
	const folder = project(home);
	await writeProviders(home, [unrulyAgent()]);
	const env = { XWORKMATE_ALLOWED_ROOTS: join(home.path, "projects") };
	const command = async (...args: readonly string[]) => {
		const ended = await runCommand(home, args, { env });
		return { ...ended, said: ended.stdout + ended.stderr };
	};
	const ran = await command("run", "--provider", "unruly", "--cwd", folder, writing({ "a.txt": "A", "b.txt": "B" }));
	expect(ran.code, ran.said).toBe(0);
	const listed = await command("threads", "--json");
	const threadId =
		Threads.parse(
			listed.stdout
				.trim()
				.split("\n")
				.flatMap((line): unknown => JSON.parse(line)),
		)[0]?.threadId ?? "";
	writeFileSync(join(folder, "a.txt"), "A\ntyped by the user\n");
	const refusal = await command("changes", threadId, "--discard", "a.txt", "--yes");
	expect([refusal.code, refusal.said]).toEqual([
		1,
		expect.stringMatching(/in a\.txt would also lose .* outside of this thread's runs[\s\S]*Undo the runs' changes yourself/),
	]);
	expect((await command("changes", threadId)).stdout).toMatch(/M a\.txt .*it can't be discarded/);
	expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("A\ntyped by the user\n");
	const discarded = await command("changes", threadId, "--discard", "b.txt", "--yes");
	expect([discarded.code, discarded.said]).toEqual([0, expect.stringContaining("Discarded 1 file")]);
	expect(readFileSync(join(folder, "b.txt"), "utf8")).toBe("b\n");
});

it("refuses a worktree where there can be none, and starts nothing", async () => {
	await using home = await temporaryHome();
	const folder = join(home.path, "projects", "none");
	write(folder, { "a.txt": "a\n" });
	await using bridge = await startBridge({
		home,
		providers: [unrulyAgent()],
		env: { XWORKMATE_ALLOWED_ROOTS: join(home.path, "projects") },
	});
	const more = { workingDirectory: folder, worktree: true };
	const call = bridge.client().rpc("session.start", turn({ prompt: "UNRULY:SAY hi", providerId: "unruly", more }));
	const refusal = await refused(call);
	expect([refusal.data.code, refusal.message]).toEqual(["WORKING_DIRECTORY_REFUSED", expect.stringContaining("git repository")]);
	expect(existsSync(join(home.xworkmate, "bridge", "worktrees"))).toBe(false);
});

const MANY = 300;

it("leaves nothing half applied if the bridge is killed at any moment", async () => {
	await using home = await temporaryHome();
	const folder = project(home);
	await using bridge = await startBridge({
		home,
		providers: [unrulyAgent()],
		env: { XWORKMATE_ALLOWED_ROOTS: join(home.path, "projects") },
	});
	const threadId = "thread-kill";
	const list = async (client: BareClient) => EditList.parse(await client.rpc("xworkmate.edits.list", { threadId }));
	const ran = turn({ prompt: "UNRULY:SAY hi", providerId: "unruly", threadId, more: { workingDirectory: folder, worktree: true } });
	expect((await settle(bridge.client(), ran)).snapshot.status).toBe("completed");
	const { directory } = await list(bridge.client());
	/** How much of the work is seen before the kill: its intent, its first file, many of them. */
	for (const [round, fraction] of [0, 0.01, 0.5].entries()) {
		const names = Array.from({ length: MANY }, (_, at) => `round-${round}/${at}.txt`);
		write(directory, Object.fromEntries(names.map((name) => [name, `${name}\n`])));
		const { seen, total } = await list(bridge.client());
		expect(total).toBe(MANY);
		const journal = join(home.xworkmate, "bridge", "edits", readdirSync(join(home.xworkmate, "bridge", "edits"))[0] ?? "", "journal.json");
		const wanted = join(folder, `round-${round}`, `${Math.floor(MANY * fraction)}.txt`);
		const applying = bridge
			.client()
			.rpc("xworkmate.edits.apply", { threadId, seen })
			.catch(() => undefined);
		const end = performance.now() + 20_000;
		while (!existsSync(fraction === 0 ? journal : wanted) && performance.now() < end) await setImmediate();
		await bridge.kill("SIGKILL");
		await applying;
		await bridge.start();
		const after = await waitUntil("the files of the apply", 20_000, async () => {
			const now = await list(bridge.client());
			return now.total === 0 || !existsSync(journal) ? now : undefined;
		});
		expect(after.unfinished).toBeUndefined();
		expect([after.total, names.filter((name) => existsSync(join(folder, name))).length]).toEqual([0, MANY]);
		expect(existsSync(join(folder, ".xworkmate"))).toBe(false);
	}
	expect(git(folder, "status", "--porcelain").trim().split("\n")).toHaveLength(3);
}, 120_000);
