import type { RunFiles, ThreadFile, ThreadFiles } from "../../api/ui-api.ts";

/** Required files first, then documents to read, then the newest; files of one moment by name. */
export function orderFiles(files: readonly ThreadFile[], required: ReadonlySet<string>): readonly ThreadFile[] {
	const rank = ({ relativePath, mediaType }: ThreadFile) => (required.has(relativePath) ? 0 : mediaType === "application/pdf" ? 1 : 2);
	const at = ({ editedAt, modifiedAt }: ThreadFile) => editedAt ?? modifiedAt ?? "";
	return files.toSorted((a, b) => rank(a) - rank(b) || compare(at(b), at(a)) || compare(a.relativePath, b.relativePath));
}

/** How many files a thread has, by name; of a run with more than are listed, the rest count too. */
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
