import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "@xworkmate/platform/errors";
import { gitBounds } from "../git/git-bounds.ts";
import { GitError } from "../git/git-error.ts";
import { runGit } from "../git/run-git.ts";
import { editsIn, ownPath } from "./edit-homes.ts";
import { EditFolder, type EditState } from "./edit-state.ts";

interface Found {
	readonly problem: (message: string) => void;
	/** Called after each record, with how many have been read and how many there are. */
	readonly read: (records: number, of: number) => void;
}

/**
 * Checks each thread's record of changes: that it can be read, that git recognizes its repository, and that the repository has what the
 * thread's files are compared with. Changes nothing. Returns how many were checked; null if there are some and git was not found.
 */
export async function verifyEdits(bridgeHome: string, searchPath: string | undefined, { problem, read }: Found): Promise<number | null> {
	const folder = editsIn(bridgeHome);
	const names = existsSync(folder) ? readdirSync(folder) : [];
	let records = 0;
	for (const name of names) {
		const record = new EditFolder(join(folder, name));
		try {
			const wrong = await wrongWith(record, searchPath);
			// The thread may have been deleted meanwhile.
			if (wrong !== undefined && record.isThere) problem(`The record of changes in ${record.path} ${wrong}.`);
		} catch (error) {
			// Without git, neither this record nor the others can be checked.
			if (!(error instanceof GitError) || error.problem !== "missing") throw error;
			return null;
		}
		records += 1;
		read(records, names.length);
	}
	return records;
}

/** The rest of a sentence about the record; undefined if nothing is wrong with it. */
async function wrongWith(record: EditFolder, searchPath: string | undefined): Promise<string | undefined> {
	let state: EditState | undefined;
	try {
		state = record.state();
	} catch (error) {
		return `can't be read: ${errorMessage(error)}`;
	}
	if (state === undefined) return undefined;
	const repository = ownPath(record, state.directory);
	if (!existsSync(repository)) return "is missing its repository";
	try {
		const { output } = await runGit({
			...{ args: ["cat-file", "--batch-check"], folder: repository, environment: { GIT_DIR: repository }, searchPath },
			...{ input: `${state.base.tree}\n`, timeMs: gitBounds.callMs, outputBytes: gitBounds.outputBytes },
		});
		// If the project's repository is gone, the objects that were only there are gone too. The record is not damaged.
		const isMissing = output.toString("utf8").includes(" missing") && existsSync(state.common);
		return isMissing ? "is missing the version that the thread's files are compared with" : undefined;
	} catch (error) {
		if (!(error instanceof GitError) || error.problem === "missing") throw error;
		return `can't be used: ${error.message}`;
	}
}
