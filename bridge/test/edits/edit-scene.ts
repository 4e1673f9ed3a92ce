import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { artifactScope, openArtifactContract, ProviderId, RunId, SessionId, ThreadId, TurnId } from "@xworkmate/contracts";
import { createEdits } from "../../src/edits/create-edits.ts";
import { gitBounds } from "../../src/git/git-bounds.ts";
import type { RunRecord } from "../../src/ports/runs/run-record.ts";
import { temporaryDirectory } from "../artifacts/temporary-directory.ts";
import { FakeClock } from "../ports/fake-clock.ts";

export const threadId = ThreadId.parse("thread 1");

/** Real git in a user's hands, with a name and a configuration of its own. */
export function git(folder: string, ...args: readonly string[]): string {
	const env = {
		PATH: "/usr/local/bin:/usr/bin:/bin",
		HOME: "/nonexistent",
		GIT_CONFIG_NOSYSTEM: "1",
		GIT_AUTHOR_NAME: "User",
		GIT_AUTHOR_EMAIL: "user@localhost",
		GIT_COMMITTER_NAME: "User",
		GIT_COMMITTER_EMAIL: "user@localhost",
	};
	return execFileSync("git", ["-c", "init.defaultBranch=main", ...args], { cwd: folder, env, encoding: "utf8" });
}

export function write(folder: string, files: Readonly<Record<string, string>>): void {
	for (const [path, text] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), text);
	}
}

/** Every file below a folder with its content, without `.git`. */
export function contents(folder: string, below = ""): Record<string, string> {
	return Object.fromEntries(
		readdirSync(join(folder, below), { withFileTypes: true })
			.filter(({ name }) => name !== ".git")
			.flatMap((entry) => {
				const path = join(below, entry.name);
				if (entry.isDirectory()) return Object.entries(contents(folder, path));
				return [[path, entry.isSymbolicLink() ? `-> ${readlinkSync(join(folder, path))}` : readFileSync(join(folder, path), "latin1")]];
			}),
	);
}

function removeEmptyFolders(folder: string): void {
	for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
	if (readdirSync(folder).length === 0) rmdirSync(folder);
}

export interface EditSceneOptions {
	/** Committed files. */
	readonly files?: Readonly<Record<string, string>>;
	readonly bounds?: Partial<typeof gitBounds>;
	readonly allowed?: readonly string[];
}

/** A user's repository beside a bridge's home, and threads that work in it. */
export async function editScene({ files = { "a.txt": "a\n", "b.txt": "b\n", "sub/c.txt": "c\n" }, ...options }: EditSceneOptions = {}) {
	const directory = await temporaryDirectory();
	const [bridgeHome, project] = [join(directory.path, "home", "bridge"), join(directory.path, "projects", "one")];
	for (const path of [bridgeHome, project]) mkdirSync(path, { recursive: true });
	git(project, "init", "--quiet");
	write(project, files);
	if (Object.keys(files).length > 0) {
		git(project, "add", "--all");
		git(project, "commit", "--quiet", "--message=first");
	}
	const allowedRoots = (options.allowed ?? ["projects"]).map((name) => join(directory.path, name));
	const environment = { HOME: join(directory.path, "home"), PATH: "/usr/local/bin:/usr/bin:/bin" };
	const clock = new FakeClock();
	const open = (ofHome = bridgeHome) =>
		createEdits({ bridgeHome: ofHome, allowedRoots, environment }, clock, { ...gitBounds, ...options.bounds });
	const edits = open();
	const state = { isBusy: false, locks: 0 };
	const deletion = { isBusy: async () => state.isBusy };
	const lock = () => {
		state.locks += 1;
		return {
			[Symbol.dispose]: () => {
				state.locks -= 1;
			},
		};
	};
	const methods = edits.methods(deletion, lock);
	let runs = 0;
	let last: RunRecord | undefined;
	const record = (more: Pick<RunRecord, "projectDirectory" | "worktree">): RunRecord => {
		runs += 1;
		const runId = RunId.parse(`run-${runs}`);
		return {
			...{ runId, threadId, sessionId: SessionId.parse("thread 1"), turnId: TurnId.parse(`turn-${runs}`) },
			provider: { target: "agent", providerId: ProviderId.parse("script") },
			artifactScope: artifactScope(threadId, runId),
			createdAt: "2026-01-01T00:00:00.000Z",
			inputHash: "0".repeat(64),
			input: { prompt: "p", artifactContract: openArtifactContract, attachments: [], fresh: true },
			...more,
			budgetMs: 1000,
		};
	};
	return {
		...{ home: directory.path, bridgeHome, project, methods, state, clock, repositories: edits.repositories },
		/** Another bridge in the same home. */
		reopen: () => {
			const again = open();
			return { ...again, methods: again.methods(deletion, lock) };
		},
		/** A bridge in a copy of the home as backups once were: without empty folders. */
		reopenCopy: () => {
			const copy = join(directory.path, "copy", "bridge");
			cpSync(bridgeHome, copy, { recursive: true });
			removeEmptyFolders(copy);
			const again = open(copy);
			const begin = async () => {
				const planned = await again.repositories.planWorktree(threadId, project);
				if ("refused" in planned) throw new Error(planned.refused);
				const run = record({ projectDirectory: planned.directory, worktree: { folder: project } });
				return { run, directory: planned.directory, notice: await again.repositories.begin(run) };
			};
			return { ...again, methods: again.methods(deletion, lock), bridgeHome: copy, runInWorktree: begin };
		},
		/** The record of the run that began last. */
		lastRun: () => last,
		/** Begins a run in the folder itself. */
		runInFolder: async (folder = project) => {
			const run = record({ projectDirectory: folder });
			last = run;
			return { runId: run.runId, notice: await edits.repositories.begin(run) };
		},
		/** Begins a run in the thread's worktree. */
		runInWorktree: async (folder = project) => {
			const planned = await edits.repositories.planWorktree(threadId, folder);
			if ("refused" in planned) throw new Error(planned.refused);
			const run = record({ projectDirectory: planned.directory, worktree: { folder } });
			last = run;
			const notice = await edits.repositories.begin(run);
			return { runId: run.runId, notice, directory: planned.directory };
		},
		/** Ends the run that began last. */
		endRun: async () => {
			return last === undefined ? undefined : await edits.repositories.end(last);
		},
		list: async (runId?: RunId) => await methods.list({ threadId, ...(runId !== undefined && { runId }) }),
		[Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
	};
}

export type EditScene = Awaited<ReturnType<typeof editScene>>;
