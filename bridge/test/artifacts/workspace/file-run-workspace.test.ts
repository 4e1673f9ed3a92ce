import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { artifactScope, openArtifactContract, ProviderId, RunId, SessionId, sessionFolder, ThreadId, TurnId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { createRunWorkspace } from "../../../src/artifacts/workspace/file-run-workspace.ts";
import type { ProjectRepositories } from "../../../src/ports/agents/edit-service.ts";
import type { RunRecord } from "../../../src/ports/runs/run-record.ts";
import { sha256 } from "../artifact-store-fixture.ts";
import { temporaryDirectory } from "../temporary-directory.ts";

const threadId = ThreadId.parse("thread 1");
const runId = RunId.parse("run-1");
const text = { name: "a.txt", mediaType: "text/plain", sizeBytes: 5, sha256: sha256("hello") };

function record(workingDirectory?: string): RunRecord {
	return {
		runId,
		threadId,
		sessionId: SessionId.parse("thread 1"),
		turnId: TurnId.parse("turn-1"),
		provider: { target: "agent", providerId: ProviderId.parse("script") },
		artifactScope: artifactScope(threadId, runId),
		createdAt: "2026-01-01T00:00:00.000Z",
		inputHash: sha256(""),
		input: {
			prompt: "p",
			artifactContract: { ...openArtifactContract, expectedArtifactDirs: ["out", "../elsewhere"] },
			attachments: [text],
			fresh: true,
			...(workingDirectory === undefined ? {} : { workingDirectory }),
		},
		budgetMs: 1000,
	};
}

async function ground(allowed: readonly string[] = ["projects"]) {
	const directory = await temporaryDirectory();
	const [home, project] = [join(directory.path, "home"), join(directory.path, "projects", "one")];
	for (const path of [home, project]) mkdirSync(path, { recursive: true });
	symlinkSync(home, join(directory.path, "home-link"));
	const allowedRoots = allowed.map((name) => join(directory.path, name));
	const workspace = createRunWorkspace({ home: join(directory.path, "home-link"), allowedRoots });
	await workspace.storeAttachments(runId, [{ ...text, base64: Buffer.from("hello").toString("base64") }]);
	const own = join(home, "bridge", "workspaces", sessionFolder(threadId));
	const chosen = async () => ({ ...record(project), ...(await workspace.choose(project)) });
	return { home, own, project, workspace, chosen, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() };
}

describe("the run's workspace", () => {
	it("is the bridge's own for a session without a chosen folder", async () => {
		await using place = await ground();
		const { own } = place;
		const prepared = await place.workspace.prepare(record());
		expect(prepared).toEqual({
			workingDirectory: own,
			artifactDirectory: join(own, ".xworkmate", record().artifactScope),
			attachments: [{ path: join(own, ".xworkmate", "attachments", runId, "a.txt"), name: "a.txt", mediaType: "text/plain" }],
			extraDirectories: [join(own, "out")],
			notices: [],
		});
		expect(readFileSync(prepared.attachments[0]?.path ?? "", "utf8")).toBe("hello");
		await place.workspace.removeThread(threadId, []);
		expect(existsSync(own)).toBe(false);
		await place.workspace.removeInputs(runId);
		expect(existsSync(join(place.home, "bridge", "inputs", runId))).toBe(false);
	});

	it("is found again after a restart by the same real paths, and nothing is made for that", async () => {
		await using place = await ground();
		await place.workspace.locate(record());
		expect(existsSync(join(place.home, "bridge", "workspaces"))).toBe(false);
		for (const run of [record(), await place.chosen()]) {
			const { workingDirectory, artifactDirectory, extraDirectories } = await place.workspace.prepare(run);
			expect(await place.workspace.locate(run)).toMatchObject({ workingDirectory, artifactDirectory, extraDirectories });
		}
	});

	it("is the chosen folder below an allowed root, of which a thread's removal takes its scopes alone", async () => {
		await using place = await ground();
		const run = await place.chosen();
		const prepared = await place.workspace.prepare(run);
		expect(prepared).toMatchObject({ workingDirectory: place.project, notices: [] });
		writeFileSync(join(place.project, "theirs.txt"), "a person's");
		const others = join(place.project, ".xworkmate", "tasks", "another-0123456789ab");
		mkdirSync(others);
		await place.workspace.removeThread(threadId, [place.project]);
		expect(existsSync(prepared.artifactDirectory)).toBe(false);
		expect(existsSync(join(place.project, "theirs.txt")) && existsSync(others)).toBe(true);
	});

	it("is named before it is removed, with the number of its files, and a folder that is not the bridge's is not", async () => {
		await using place = await ground();
		await place.workspace.prepare(record());
		writeFileSync(join(place.own, "notes.txt"), "by the agent");
		const { artifactDirectory } = await place.workspace.prepare(await place.chosen());
		writeFileSync(join(artifactDirectory, "report.md"), "delivered");
		writeFileSync(join(place.project, "theirs.txt"), "a person's");
		const folders = await place.workspace.threadFolders(threadId, [place.project]);
		const own = join(place.project, ".xworkmate", "tasks", sessionFolder(threadId));
		const files = readdirSync(place.own, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory()).length;
		expect(folders).toEqual([
			{ kind: "workspace", path: place.own, files },
			{ kind: "project", path: own, files: 1 },
		]);
		expect(files).toBeGreaterThan(0);
		await place.workspace.removeThread(threadId, [place.project]);
		expect(folders.map(({ path }) => existsSync(path))).toEqual([false, false]);
		expect(await place.workspace.threadFolders(threadId, [place.project])).toEqual([]);
	});

	it("of a run in a worktree is called that, and its files are not listed after it was said that they can't be", async () => {
		await using place = await ground();
		const folder = { folder: place.project };
		const run = { ...(await place.chosen()), worktree: folder };
		const notice = { code: "CHANGES_NOT_FOLLOWED", message: "This run's changes can't be listed: because" } as const;
		const left = async (said: typeof notice | undefined) => {
			const repositories: ProjectRepositories = {
				planWorktree: async () => ({ directory: place.project }),
				begin: async () => said,
				follows: () => false,
				end: async () => undefined,
				worktreeOf: async () => undefined,
				remove: async () => undefined,
			};
			const workspace = createRunWorkspace({ home: place.home, allowedRoots: [] }, repositories);
			await workspace.prepare(run);
			writeFileSync(join(place.project, "later.txt"), said?.code ?? "later");
			return await workspace.leave(run);
		};
		expect(await left(undefined)).toMatchObject({ place: "worktree", files: [{ path: "later.txt" }] });
		expect(await left(notice)).toBeUndefined();
	});

	it("lists a large file that kept its size as changed, and one that is too large to be read as one that may have changed", async () => {
		await using place = await ground();
		const run = await place.chosen();
		const file = (name: string) => join(place.project, name);
		const write = (text: string, ...files: readonly (readonly [string, number])[]) => {
			for (const [name, size] of files) writeFileSync(file(name), Buffer.alloc(size, text));
		};
		const large = [
			["big.txt", 2_500_000],
			["med.txt", 1_500_000],
			["huge.bin", 12_000_000],
		] as const;
		write("a", ...large, ["kept.txt", 1_500_000], ["huge-kept.bin", 12_000_000]);
		await place.workspace.prepare(run);
		expect(await place.workspace.leave(run)).toBeUndefined();
		write("b", ...large);
		write("a", ["kept.txt", 1_500_000]);
		const modified = ["big.txt", "med.txt"].map((path) => ({ path, status: "modified" }));
		expect(await place.workspace.leave(run)).toEqual({
			place: "folder",
			directory: place.project,
			files: modified,
			total: 2,
			unsure: { paths: ["huge.bin"], total: 1 },
		});
	});

	it("that its agent has removed or replaced is reported as gone or unreadable, so that what changed there is not known", async () => {
		await using place = await ground();
		const [own, project] = [record(), await place.chosen()];
		const lost = { files: [], total: 0, unknown: "folder_gone" };
		for (const [run, directory, where] of [
			[own, place.own, "workspace"],
			[project, place.project, "folder"],
		] as const) {
			await place.workspace.prepare(run);
			writeFileSync(join(directory, "from-before.txt"), "before");
			await place.workspace.prepare(run);
			rmSync(directory, { recursive: true });
			expect(await place.workspace.leave(run)).toEqual({ place: where, directory, ...lost });
			writeFileSync(directory, "no folder");
			expect(await place.workspace.leave(run)).toMatchObject({ unknown: "unreadable" });
		}
	});

	it("of a worktree is named with its branch, its files without git's own and those that no commit keeps", async () => {
		await using place = await ground();
		for (const name of ["secret.env", ".git"]) writeFileSync(join(place.project, name), "s");
		const unkept = { ignored: { files: 1 }, repositories: { count: 1, paths: ["lib/"] } };
		const worktree = { directory: place.project, branch: "xworkmate/trip", ...unkept };
		const repositories: ProjectRepositories = {
			planWorktree: async () => ({ directory: place.project }),
			begin: async () => undefined,
			follows: () => false,
			end: async () => undefined,
			worktreeOf: async () => worktree,
			remove: async () => undefined,
		};
		const workspace = createRunWorkspace({ home: place.home, allowedRoots: [] }, repositories);
		expect(await workspace.threadFolders(threadId, [])).toEqual([
			{ kind: "worktree", path: place.project, files: 1, branch: "xworkmate/trip", ...unkept },
		]);
	});

	it("removes a thread's folders before the records of its worktree, so that a repeat names the branch, too", async () => {
		await using place = await ground();
		await place.workspace.prepare(record());
		const repositories: ProjectRepositories = {
			planWorktree: async () => ({ directory: place.project }),
			begin: async () => undefined,
			follows: () => false,
			end: async () => undefined,
			worktreeOf: async () => undefined,
			remove: async (_threadId, removeRest) => {
				await removeRest?.();
				return existsSync(place.own) ? undefined : "xworkmate/trip";
			},
		};
		const workspace = createRunWorkspace({ home: place.home, allowedRoots: [] }, repositories);
		expect(await workspace.removeThread(threadId, [])).toBe("xworkmate/trip");
	});

	it("leaves the worktree of another home alone when the thread is removed", async () => {
		await using place = await ground();
		const other = join(place.project, "bridge", "worktrees", sessionFolder(threadId));
		const scope = join(other, ".xworkmate", "tasks", sessionFolder(threadId));
		mkdirSync(scope, { recursive: true });
		expect(await place.workspace.threadFolders(threadId, [other])).toEqual([]);
		await place.workspace.removeThread(threadId, [other]);
		expect(existsSync(scope)).toBe(true);
	});

	it("stays where the turn was accepted for, whatever is allowed later", async () => {
		await using place = await ground();
		const run = await place.chosen();
		const { artifactDirectory } = await place.workspace.prepare(run);
		const stricter = createRunWorkspace({ home: place.home, allowedRoots: [] });
		expect(await stricter.locate(run)).toMatchObject({ artifactDirectory });
	});

	it("refuses a folder that leads elsewhere by the time the run starts, and removes nothing behind a link", async () => {
		await using place = await ground();
		const run = await place.chosen();
		const elsewhere = join(place.home, "elsewhere", ".xworkmate", "tasks", sessionFolder(threadId));
		mkdirSync(elsewhere, { recursive: true });
		rmSync(place.project, { recursive: true });
		symlinkSync(join(place.home, "elsewhere"), place.project);
		await expect(place.workspace.prepare(run)).rejects.toMatchObject({ code: "SCOPE_REFUSED" });
		await place.workspace.removeThread(threadId, [place.project]);
		expect(existsSync(elsewhere)).toBe(true);
	});

	it("says why another folder was not used", async () => {
		await using place = await ground(["elsewhere"]);
		expect(await place.workspace.prepare(await place.chosen())).toMatchObject({
			workingDirectory: place.own,
			notices: [{ code: "WORKING_DIRECTORY_NOT_USED", message: expect.stringContaining("allowedRoots") }],
		});
	});

	it("says when git could not be told, and goes on", async () => {
		await using place = await ground();
		mkdirSync(join(place.project, ".git", "objects"), { recursive: true });
		writeFileSync(join(place.project, ".git", "HEAD"), "ref: refs/heads/main\n");
		writeFileSync(join(place.project, ".git", "info"), "a file where a folder belongs");
		expect(await place.workspace.prepare(await place.chosen())).toMatchObject({ notices: [{ code: "GIT_EXCLUDE_FAILED" }] });
	});
});
