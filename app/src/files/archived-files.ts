import type { RunId, ThreadId } from "@xworkmate/contracts";
import type { RunFiles, ThreadFile, ThreadFiles } from "../api/ui-api.ts";
import type { ArchiveCheck } from "../api/ui-routes.ts";
import { BridgeTransportError } from "../bridge-client/wire/bridge-errors.ts";
import { AppError } from "../errors/app-error.ts";
import { capitalized } from "../text/capital.ts";
import type { Thread } from "../threads/index.ts";
import { isOnDisk } from "./file-state.ts";
import { unlistedWhy } from "./missing-files.ts";
import { missing, type OpenedFile } from "./open-plain-file.ts";
import { ownersOf } from "./owners-of.ts";

const NAME_CHARACTERS = 80;

/** The files of one archive. */
export interface ArchivedFiles extends Pick<ArchiveCheck, "lacking"> {
	readonly name: string;
	readonly files: readonly { readonly runId: RunId; readonly path: string }[];
}

interface Files {
	list(threadId: ThreadId): Promise<ThreadFiles>;
	open(threadId: ThreadId, runId: RunId, path: string): Promise<Pick<OpenedFile, "close">>;
}

type Listed = { readonly runId: RunId; readonly file: ThreadFile };

/**
 * The files of a run or, without a run, one file for each path of the thread's successful runs. Each is what a single download would
 * return: the file in the folder or, if the folder does not have it, the bridge's copy.
 * @throws AppError FILE_NOT_FOUND if there are no files
 */
export async function listArchive(source: Files, thread: Thread, runId?: RunId): Promise<ArchivedFiles> {
	const { threadId, title } = thread;
	const { runs } = await source.list(threadId);
	const succeeded = new Set(thread.turns.map((turn) => (turn.resultCode === "success" ? turn.runId : undefined)));
	const some = runs.filter((run) => (runId === undefined ? succeeded.has(run.runId) : run.runId === runId));
	const listed = runId === undefined ? eachPathOnce(thread, some) : some.flatMap(filesOf);
	if (listed.length === 0) throw missing();
	const files: ArchivedFiles["files"][number][] = [];
	const lacking: ArchiveCheck["lacking"][number][] = [];
	let away: BridgeTransportError | undefined;
	for (const { runId, file } of listed) {
		const path = file.relativePath;
		try {
			if (!isOnDisk(file)) {
				if (away !== undefined && file.atBridge === true) throw away;
				await (await source.open(threadId, runId, path)).close();
			}
			files.push({ runId, path });
		} catch (error) {
			if (!(error instanceof AppError || error instanceof BridgeTransportError)) throw error;
			// If the bridge does not respond for one file, no other file is requested from it.
			if (error instanceof BridgeTransportError && !error.final) away = error;
			lacking.push({ path, message: error.message });
		}
	}
	const unlisted = some.reduce((sum, run) => sum + Math.max(0, run.count - run.files.length), 0);
	return { name: archiveName(title), files, lacking: unlisted === 0 ? lacking : [...lacking, unlistedFiles(unlisted)] };
}

function unlistedFiles(count: number): ArchiveCheck["lacking"][number] {
	return { path: `${count} more`, message: `${capitalized(unlistedWhy)}.` };
}

function filesOf({ runId, files }: RunFiles): readonly Listed[] {
	return files.map((file) => ({ runId, file }));
}

/** For each path, the run whose version the folder has or, if the path was never saved, the newest run with it. `runs` are newest first. */
function eachPathOnce(thread: Thread, runs: readonly RunFiles[]): readonly Listed[] {
	const owners = ownersOf(thread);
	const once = new Map<string, Listed>();
	for (const listed of runs.flatMap(filesOf)) {
		const { relativePath: path } = listed.file;
		const owner = owners.get(path);
		if (owner === undefined ? !once.has(path) : owner === listed.runId) once.set(path, listed);
	}
	return [...once.values()];
}

/** Turns a title into a file name, without characters that a file system refuses or that reorder text, and without lone surrogates. */
export function archiveName(title: string): string {
	const safe = title.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069/\\:*?"<>|]/gu, "_");
	return [...safe.toWellFormed()].slice(0, NAME_CHARACTERS).join("") || "files";
}
