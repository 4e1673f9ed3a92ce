import { execFileSync } from "node:child_process";
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { artifactScope, RunId, ThreadId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { prepareScope } from "../../../src/artifacts/workspace/prepare-scope.ts";
import { writeFile } from "../artifact-store-fixture.ts";
import { temporaryDirectory } from "../temporary-directory.ts";

const scope = artifactScope(ThreadId.parse("thread 1"), RunId.parse("run-1"));
const furtherScope = artifactScope(ThreadId.parse("thread 1"), RunId.parse("run-2"));
const refusal = { name: "ScopeRefusedError", code: "SCOPE_REFUSED" };

function everythingIn(directory: string): string[] {
	return readdirSync(directory, { recursive: true, encoding: "utf8" }).sort();
}

function git(cwd: string, ...args: readonly string[]): string {
	const identity = ["-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "init.defaultBranch=main"];
	const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: "1" };
	return execFileSync("git", [...identity, ...args], { cwd, encoding: "utf8", env, stdio: ["ignore", "pipe", "ignore"] });
}

describe("preparing a run's scope", () => {
	it("[T4-24] makes it empty, its own, below the working directory", async () => {
		await using directory = await temporaryDirectory();
		const prepared = await prepareScope({ cwd: directory.path, scope });
		expect(prepared).toEqual({
			workingDirectory: directory.path,
			artifactDirectory: join(directory.path, ".xworkmate", scope),
			git: { state: "outside_git" },
		});
		expect(readdirSync(prepared.artifactDirectory)).toEqual([]);
		expect(statSync(prepared.artifactDirectory).mode & 0o777).toBe(0o700);
	});

	it("takes an empty one that an earlier attempt left, and refuses one that holds anything", async () => {
		await using directory = await temporaryDirectory();
		const { artifactDirectory } = await prepareScope({ cwd: directory.path, scope });
		expect((await prepareScope({ cwd: directory.path, scope })).artifactDirectory).toBe(artifactDirectory);
		writeFileSync(join(artifactDirectory, "earlier.txt"), "x");
		await expect(prepareScope({ cwd: directory.path, scope })).rejects.toMatchObject(refusal);
		expect(readdirSync(artifactDirectory)).toEqual(["earlier.txt"]);
	});

	it("gives the real path of a working directory that is named by a link", async () => {
		await using directory = await temporaryDirectory();
		mkdirSync(join(directory.path, "real"));
		symlinkSync(join(directory.path, "real"), join(directory.path, "link"));
		const { workingDirectory, artifactDirectory } = await prepareScope({ cwd: join(directory.path, "link"), scope });
		expect(workingDirectory).toBe(join(directory.path, "real"));
		expect(artifactDirectory).toBe(join(directory.path, "real", ".xworkmate", scope));
	});

	it.each([".xworkmate", ".xworkmate/tasks", `.xworkmate/${scope.split("/").slice(0, 2).join("/")}`, `.xworkmate/${scope}`])(
		"refuses a link at %s and makes nothing behind it",
		async (link) => {
			await using directory = await temporaryDirectory();
			const [cwd, outside] = [join(directory.path, "cwd"), join(directory.path, "outside")];
			mkdirSync(outside);
			mkdirSync(join(cwd, link, ".."), { recursive: true });
			symlinkSync(outside, join(cwd, link));
			await expect(prepareScope({ cwd, scope })).rejects.toMatchObject(refusal);
			expect(readdirSync(outside)).toEqual([]);
		},
	);

	describe.each([".xworkmate", ".xworkmate/tasks", `.xworkmate/${scope.split("/").slice(0, 2).join("/")}`])(
		"a further one, once %s",
		(folder) => {
			it.each([
				["a link to another folder", "outside"],
				["a link to where it was moved", "moved"],
			])("is %s, is refused, and nothing is made behind it", async (_what, target) => {
				await using directory = await temporaryDirectory();
				const cwd = join(directory.path, "cwd");
				for (const name of [cwd, join(directory.path, "outside")]) mkdirSync(name);
				await prepareScope({ cwd, scope, real: cwd });
				renameSync(join(cwd, folder), join(directory.path, "moved"));
				symlinkSync(join(directory.path, target), join(cwd, folder));
				const before = everythingIn(directory.path);
				await expect(prepareScope({ cwd, scope: furtherScope, real: cwd })).rejects.toMatchObject(refusal);
				await expect(prepareScope({ cwd, scope: furtherScope, known: cwd })).rejects.toMatchObject(refusal);
				expect(everythingIn(directory.path)).toEqual(before);
			});
		},
	);

	it("is refused if a folder above it is moved while it is made", async () => {
		await using directory = await temporaryDirectory();
		const cwd = directory.path;
		const { artifactDirectory } = await prepareScope({ cwd, scope, real: cwd });
		const { mkdirSync: make } = fs;
		fs.mkdirSync = Object.assign((...args: Parameters<typeof make>) => {
			renameSync(dirname(artifactDirectory), join(cwd, "moved"));
			return make(...args);
		}, make);
		syncBuiltinESMExports();
		try {
			await expect(prepareScope({ cwd, scope: furtherScope, real: cwd })).rejects.toMatchObject(refusal);
		} finally {
			fs.mkdirSync = make;
			syncBuiltinESMExports();
		}
		expect(readdirSync(join(cwd, ".xworkmate", "tasks"))).toEqual([]);
	});

	it("makes a further one beside the first, also if its folder was removed in between", async () => {
		await using directory = await temporaryDirectory();
		const cwd = directory.path;
		const [first, second] = [await prepareScope({ cwd, scope, real: cwd }), await prepareScope({ cwd, scope: furtherScope, real: cwd })];
		expect(readdirSync(dirname(first.artifactDirectory)).sort()).toEqual(["run-1", "run-2"]);
		expect(statSync(second.artifactDirectory).mode & 0o777).toBe(0o700);
		rmSync(join(cwd, ".xworkmate"), { recursive: true });
		expect((await prepareScope({ cwd, scope, real: cwd })).artifactDirectory).toBe(first.artifactDirectory);
		expect(readdirSync(first.artifactDirectory)).toEqual([]);
	});

	it("refuses a working directory that has to be elsewhere, and does not believe what is only known of it", async () => {
		await using directory = await temporaryDirectory();
		const [one, other, link] = ["one", "other", "link"].map((name) => join(directory.path, name)) as [string, string, string];
		for (const folder of [one, other]) mkdirSync(folder);
		symlinkSync(one, link);
		await prepareScope({ cwd: link, scope });
		rmSync(link);
		symlinkSync(other, link);
		await expect(prepareScope({ cwd: link, scope: furtherScope, real: one })).rejects.toMatchObject(refusal);
		expect((await prepareScope({ cwd: link, scope: furtherScope, known: one })).workingDirectory).toBe(other);
		expect(readdirSync(join(one, ".xworkmate", scope, ".."))).toEqual(["run-1"]);
	});

	it("refuses a file where a folder belongs, and a working directory that is missing", async () => {
		await using directory = await temporaryDirectory();
		writeFileSync(join(directory.path, ".xworkmate"), "x");
		await expect(prepareScope({ cwd: directory.path, scope })).rejects.toMatchObject(refusal);
		await expect(prepareScope({ cwd: join(directory.path, "missing"), scope })).rejects.toMatchObject(refusal);
	});
});

describe("keeping the bridge's folder out of git", () => {
	it("adds one line to info/exclude, once, from any folder of the work tree", async () => {
		await using directory = await temporaryDirectory();
		git(directory.path, "init");
		writeFileSync(join(directory.path, ".git", "info", "exclude"), "# mine\n*.log");
		mkdirSync(join(directory.path, "src"));
		for (const [cwd, state] of [
			[join(directory.path, "src"), "excluded"],
			[directory.path, "already_excluded"],
		] as const) {
			expect((await prepareScope({ cwd, scope })).git).toEqual({ state });
			writeFileSync(join(cwd, ".xworkmate", scope, "report.md"), "x");
		}
		expect(readFileSync(join(directory.path, ".git", "info", "exclude"), "utf8")).toBe("# mine\n*.log\n.xworkmate/\n");
		expect(git(directory.path, "status", "--porcelain", "--untracked-files=all")).toBe("");
	});

	it("finds the repository of a linked work tree and of a submodule, where .git is a file", async () => {
		await using directory = await temporaryDirectory();
		const [main, linked] = [join(directory.path, "main"), join(directory.path, "linked")];
		mkdirSync(main);
		git(main, "init");
		git(main, "commit", "--allow-empty", "-m", "first");
		git(main, "worktree", "add", linked);
		expect((await prepareScope({ cwd: linked, scope })).git).toEqual({ state: "excluded" });
		writeFileSync(join(linked, ".xworkmate", scope, "report.md"), "x");
		expect(git(linked, "status", "--porcelain", "--untracked-files=all")).toBe("");
		expect((await prepareScope({ cwd: main, scope })).git).toEqual({ state: "already_excluded" });

		git(main, "-c", "protocol.file.allow=always", "submodule", "add", main, "sub");
		expect((await prepareScope({ cwd: join(main, "sub"), scope })).git).toEqual({ state: "excluded" });
		expect(readFileSync(join(main, ".git", "modules", "sub", "info", "exclude"), "utf8")).toContain(".xworkmate/\n");
	});

	it("writes nowhere that is no repository, whatever a .git file says", async () => {
		await using directory = await temporaryDirectory();
		const [cwd, victim] = [join(directory.path, "cwd"), join(directory.path, "victim")];
		mkdirSync(victim);
		writeFile(join(cwd, ".git"), `gitdir: ${victim}\n`);
		expect((await prepareScope({ cwd, scope })).git).toEqual({ state: "outside_git" });
		expect(readdirSync(victim)).toEqual([]);
		writeFileSync(join(cwd, ".git"), "nonsense");
		expect((await prepareScope({ cwd, scope: artifactScope(ThreadId.parse("t"), RunId.parse("r")) })).git).toEqual({
			state: "outside_git",
		});
	});

	it("says when it failed, and prepares the scope all the same; a linked exclude file is not written through", async () => {
		await using directory = await temporaryDirectory();
		git(directory.path, "init");
		const exclude = join(directory.path, ".git", "info", "exclude");
		execFileSync("rm", [exclude]);
		symlinkSync(join(directory.path, "target"), exclude);
		const prepared = await prepareScope({ cwd: directory.path, scope });
		expect(prepared.git).toMatchObject({ state: "failed", message: expect.stringContaining("ELOOP") });
		expect(existsSync(prepared.artifactDirectory)).toBe(true);
		expect(existsSync(join(directory.path, "target"))).toBe(false);
	});
});
