import type { RunId } from "@xworkmate/contracts";
import type { SyncProblem } from "./sync-problem.ts";

/** A file that the manifest names; the path is checked already. */
export interface WantedFile {
	readonly relativePath: string;
	readonly sizeBytes: number;
	readonly sha256: string;
}

/** A piece of a file within a batch's bytes. */
export interface Segment {
	/** Index into the wanted files. */
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
	/** Given back, to be filled again. */
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

/** The disk side of one sync, at once or in a thread of its own: check, stage, publish. One at a time for a folder. */
export interface SyncDisk extends AsyncDisposable {
	/** Empties the staging area and returns which files are in the folder already, bytes and all. */
	begin(wanted: readonly WantedFile[]): PublishResult | Promise<PublishResult>;
	/** Stages pieces, in order for each file; a first piece restarts it. Sizes and hashes are checked before a file counts as staged. */
	write(batch: Batch): BatchResult | Promise<BatchResult>;
	/** Makes what is staged durable, then moves it to its place. */
	publish(): PublishResult | Promise<PublishResult>;
}
