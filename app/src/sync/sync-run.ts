import { setTimeout as pause } from "node:timers/promises";
import { omitUndefined, type Snapshot } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import type { ArtifactSource } from "../bridge-client/artifact-download.ts";
import type { SavedBefore } from "../files/missing-files.ts";
import type { ResultDetail, Thread } from "../threads/domain/thread.ts";
import type { SyncEnd } from "../threads/domain/thread-event.ts";
import { FolderTaken } from "../workspace/index.ts";
import { openSyncDisk } from "./disk/open-sync-disk.ts";
import { fileProblem, reasonOf, type SyncProblem } from "./disk/sync-problem.ts";
import { FileTransfer } from "./file-transfer.ts";
import { type SyncBounds, syncBounds, syncDeadline } from "./sync-bounds.ts";
import { syncRefusal } from "./sync-refusal.ts";

export interface SyncRequest {
	readonly thread: Thread;
	/** The terminal snapshot that names the files. */
	readonly snapshot: Snapshot;
	/** The paths to sync, possibly of an earlier run of the thread; absent for all files of the thread's current run. */
	readonly only?: ReadonlySet<string>;
	/** What has been saved before. A path at which the folder has a file now counts as saved, so an edited file is left as it is. */
	readonly before?: SavedBefore;
	/** True if an edited file is replaced. */
	readonly replaceEdits?: boolean;
	/**
	 * Creates the thread's folder if it does not exist, and returns its path. If the function throws because something else is in the
	 * folder's place, or because of the disk, no file is saved, and the result gives the reason.
	 */
	readonly folder: () => string;
	readonly source: ArtifactSource;
	/**
	 * Aborted when the app closes, or when something else needs the thread. Nothing is published after that, unless publishing has already
	 * begun; a later sync starts over.
	 */
	readonly signal: AbortSignal;
	readonly bounds?: SyncBounds;
	/** Opens the sync's disk; replaced in tests. */
	readonly openDisk?: typeof openSyncDisk;
}

export interface SyncResult {
	/** `stopped`: the signal was aborted. */
	readonly status: SyncEnd | "stopped";
	/**
	 * The files of this run that have been saved, in manifest order. They include files that were saved before, even if they are no longer in
	 * the folder and were not fetched, so that a later sync does not overwrite what the user puts in their place.
	 */
	readonly paths: readonly string[];
	readonly problems: readonly SyncProblem[];
	/** Why the sync is partial, on one line. */
	readonly detail?: ResultDetail;
}

/**
 * Saves a successful run's files to the thread's folder: checks the manifest against the snapshot, and every path, size and sha256; stages
 * the files beside the target, makes them durable and renames them. A file that is already there with the same bytes is not written again,
 * so a repeat does nothing. One bad file does not affect the others; if the disk fills up, the files staged before that are still saved.
 * What a run delivered is never determined by the folder's contents.
 */
export async function syncRun(request: SyncRequest): Promise<SyncResult> {
	const { thread, snapshot, only, before, replaceEdits, folder, source, signal, bounds = syncBounds, openDisk = openSyncDisk } = request;
	const count = only?.size ?? snapshot.artifacts.count;
	const saved = before?.paths ?? [];
	const refusal = syncRefusal(thread, snapshot, only !== undefined);
	if (refusal !== undefined) return partial([{ code: "MANIFEST_REFUSED", message: refusal }], saved, count, count);
	const bounded = AbortSignal.any([signal, AbortSignal.timeout(syncDeadline(bounds, snapshot.artifacts.totalBytes))]);
	const place = placeFor(folder);
	if ("refused" in place) return partial([place.refused], saved, count, count, place.fix);
	await using disk = openDisk({ folder: place.folder, runId: snapshot.runId }, snapshot.artifacts);
	const transfer = new FileTransfer({ disk, source, snapshot, signal: bounded, ...omitUndefined({ only, before, replaceEdits }) });
	for (let attempt = 1; attempt <= bounds.attempts && !bounded.aborted; attempt++) {
		await transfer.attempt();
		if (transfer.finished) break;
		if (attempt < bounds.attempts) await pause(bounds.pauseMs * attempt, undefined, { signal: bounded }).catch(() => undefined);
	}
	if (signal.aborted) return { status: "stopped", paths: [], problems: [] };
	const { paths, there, problems } = await transfer.publish();
	if (there === count) return { status: "synced", paths, problems };
	return partial(problems, paths, count - there, count);
}

function placeFor(folder: () => string): { readonly folder: string } | { readonly refused: SyncProblem; readonly fix?: string } {
	try {
		return { folder: folder() };
	} catch (error) {
		if (error instanceof FolderTaken) {
			const message = `${error.folder} was ${error.found}, not a folder`;
			return {
				refused: { code: "PATH_BLOCKED", message },
				fix: `If it still is, ${lowerFirst(error.fix)} Finally, download the files again.`,
			};
		}
		if (systemErrorCode(error) === undefined) throw error;
		const { code, message } = fileProblem(error);
		return { refused: { code, message } };
	}
}

function lowerFirst(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}

/** @param lacking how many of the run's `count` files are not in the folder */
function partial(
	problems: readonly SyncProblem[],
	paths: readonly string[],
	lacking: number,
	count: number,
	fixOfFolder?: string,
): SyncResult {
	const undelivered = {
		code: "NOT_DELIVERED",
		message: `the bridge did not send ${lacking === 1 ? "it" : "them"}`,
	} satisfies SyncProblem;
	const [first = undelivered] = problems.filter(({ code }) => code !== "UNEXPECTED_ENTRY");
	const { code, path }: SyncProblem = first;
	const why = reasonOf(first);
	const files = `${lacking} of ${count} ${count === 1 ? "file" : "files"} ${lacking === 1 ? "was" : "were"}`;
	// This text is stored and shown later, when the folder may have changed. It therefore says what happened, in the past tense, as do the
	// reasons that depend on the folder.
	const message = `${files} not saved in the folder: ${path === undefined ? why : `${why} (${path})`}.`;
	const fix = fixOfFolder ?? (code === "PATH_BLOCKED" ? "Move whatever is still in the way, then download the files again." : undefined);
	return { status: "partial", paths, problems, detail: { code, message, ...(fix && { fix }) } };
}
