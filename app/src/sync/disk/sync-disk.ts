import type { RunId } from "@xworkmate/contracts";
import type { SyncProblem } from "./sync-problem.ts";

/** A file that the manifest names. Its path has been checked. */
export interface WantedFile {
	readonly relativePath: string;
	readonly sizeBytes: number;
	readonly sha256: string;
}

/** A chunk of a file within a batch's bytes. */
export interface Segment {
	/** The index of the file in the list of wanted files. */
	readonly file: number;
	readonly start: number;
	readonly end: number;
	readonly first: boolean;
	readonly last: boolean;
}

export interface Batch {
	readonly bytes: Uint8Array<ArrayBuffer>;
	readonly segments: readonly Segment[];
}

export interface BatchResult {
	/** The batch's buffer, to be filled again. */
	readonly bytes: Uint8Array<ArrayBuffer>;
	readonly staged: readonly number[];
	readonly problems: readonly FileResult[];
}

export interface FileResult {
	readonly file: number;
	readonly problem: SyncProblem;
}

export interface PublishResult {
	readonly published: readonly number[];
	readonly problems: readonly FileResult[];
}

export interface SyncPlace {
	/** The thread's folder. */
	readonly folder: string;
	readonly runId: RunId;
}

/** The disk side of one sync, in the main thread or a worker thread: checks, stages and publishes. A folder has only one at a time. */
export interface SyncDisk extends AsyncDisposable {
	/** Empties the staging area. Returns which files are already in the folder with the same bytes. */
	begin(wanted: readonly WantedFile[]): PublishResult | Promise<PublishResult>;
	/**
	 * Stages chunks, which must be in order for each file; a first chunk restarts its file. Sizes and hashes are checked before a file counts
	 * as staged.
	 */
	write(batch: Batch): BatchResult | Promise<BatchResult>;
	/** Makes staged files durable, then moves them to their places. */
	publish(): PublishResult | Promise<PublishResult>;
}
