import { mkdirSync } from "node:fs";
import { realpath, rm } from "node:fs/promises";
import { sessionFolder } from "@xworkmate/contracts";
import type { RunRecord } from "../runs/run-record.ts";
import type { PreparedWorkspace, RunWorkspace, WorkspaceNotice } from "../runs/run-workspace.ts";
import { placeAttachments } from "./place-attachments.ts";
import { prepareScope } from "./prepare-scope.ts";
import { resolveExtraDirectories, resolveWorkingDirectory } from "./resolve-working-directory.ts";
import { removeInputs, storeAttachments } from "./store-attachments.ts";
import { systemErrorCode } from "./system-error.ts";
import { bridgeWorkspace, scopeDirectory } from "./workspace-layout.ts";

export interface FileRunWorkspaceOptions {
	/** `XWORKMATE_HOME`, absolute. */
	readonly home: string;
	/** Folders in which a run may work, absolute. */
	readonly allowedRoots: readonly string[];
}

interface ChosenDirectory {
	readonly directory: string;
	/** True for the bridge's own workspace of the session, which may have to be made. */
	readonly own: boolean;
	readonly notices: readonly WorkspaceNotice[];
}

/** Runs work in the folder they asked for, when it is allowed, else in the bridge's own workspace of their session. */
export function createRunWorkspace({ home, allowedRoots }: FileRunWorkspaceOptions): RunWorkspace {
	const choose = async ({ input, threadId, provider }: RunRecord): Promise<ChosenDirectory> => {
		const own = bridgeWorkspace(home, sessionFolder(threadId));
		// A gateway works on its own machine; here is only where its files arrive.
		if (input.workingDirectory === undefined || provider.target === "gateway") return { directory: own, own: true, notices: [] };
		const choice = await resolveWorkingDirectory(input.workingDirectory, allowedRoots);
		if ("directory" in choice) return { directory: choice.directory, own: false, notices: [] };
		const message = `${choice.message}; the run works in the bridge's own folder instead`;
		return { directory: own, own: true, notices: [{ code: "WORKING_DIRECTORY_NOT_USED", message }] };
	};
	const directories = (
		record: RunRecord,
		directory: string,
		artifactDirectory: string,
	): Omit<PreparedWorkspace, "attachments" | "notices"> => ({
		workingDirectory: directory,
		artifactDirectory,
		extraDirectories:
			record.provider.target === "gateway" ? [] : resolveExtraDirectories(directory, record.input.artifactContract.expectedArtifactDirs),
	});
	return {
		storeAttachments: async (runId, attachments) => void (await storeAttachments(home, runId, attachments)),
		prepare: async (record) => {
			const { directory, own, notices } = await choose(record);
			if (own) mkdirSync(directory, { recursive: true, mode: 0o700 });
			const { workingDirectory, artifactDirectory, git } = await prepareScope({
				cwd: directory,
				scope: record.artifactScope,
				mayBeInGit: !own,
			});
			const { runId, input } = record;
			const attachments = await placeAttachments({ home, workingDirectory, runId, attachments: input.attachments });
			const excluded =
				git.state === "failed" ? [{ code: "GIT_EXCLUDE_FAILED", message: `.xworkmate/ is not kept out of git: ${git.message}` }] : [];
			return { ...directories(record, workingDirectory, artifactDirectory), attachments, notices: [...notices, ...excluded] };
		},
		locate: async (record) => {
			const directory = await realIfThere((await choose(record)).directory);
			return { ...directories(record, directory, scopeDirectory(directory, record.artifactScope)), attachments: [], notices: [] };
		},
		removeInputs: (runId) => removeInputs(home, runId),
		removeThread: (threadId) => rm(bridgeWorkspace(home, sessionFolder(threadId)), { recursive: true, force: true }),
	};
}

/** The vault takes real paths alone, so a run that goes on after a restart needs the spelling that prepare gave. */
async function realIfThere(directory: string): Promise<string> {
	try {
		return await realpath(directory);
	} catch (error) {
		if (systemErrorCode(error) === "ENOENT") return directory;
		throw error;
	}
}
