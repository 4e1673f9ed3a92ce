import type { RunFiles, ThreadFile, ThreadFiles } from "../../api/ui-api.ts";
import { isReadable } from "../../files/file-state.ts";
import { previewKind } from "../text/preview-kind.ts";

/** A file and the run it belongs to. */
export interface FilePlace {
	readonly run: RunFiles;
	readonly file: ThreadFile;
}

/** Sorts files: required ones, then PDF documents, then the others; within each group newest first, and by name if the times are equal. */
export function orderFiles(files: readonly ThreadFile[], required: ReadonlySet<string>): readonly ThreadFile[] {
	const rank = ({ relativePath, mediaType }: ThreadFile) => (required.has(relativePath) ? 0 : mediaType === "application/pdf" ? 1 : 2);
	const at = ({ editedAt, modifiedAt }: ThreadFile) => editedAt ?? modifiedAt ?? "";
	return files.toSorted((a, b) => rank(a) - rank(b) || compare(at(b), at(a)) || compare(a.relativePath, b.relativePath));
}

/** All listed files of a thread, in the order in which the panel shows them. */
export function walkFiles(runs: readonly RunFiles[], requiredOf: (run: RunFiles) => ReadonlySet<string>): readonly FilePlace[] {
	return runs.flatMap((run) => orderFiles(run.files, requiredOf(run)).map((file) => ({ run, file })));
}

/** True if a file can be enlarged: it is not empty, its bytes can be read, and its kind may be shown. */
export function isEnlargeable(file: ThreadFile): boolean {
	return isReadable(file) && (file.sizeNow ?? file.sizeBytes) !== 0 && previewKind(file) !== "none";
}

/** How many files with different names a thread has. Files of a run that are not listed are counted too. */
export function countFiles({ runs }: Pick<ThreadFiles, "runs">): number {
	const names = new Set(runs.flatMap(({ files }) => files.map(({ relativePath }) => relativePath)));
	return runs.reduce((sum, run) => sum + notListed(run), names.size);
}

function notListed({ count, files }: RunFiles): number {
	return Math.max(0, count - files.length);
}

function compare(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
