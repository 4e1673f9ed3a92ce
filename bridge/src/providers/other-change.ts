import { type Diff, fileName, type Preview } from "@xworkmate/contracts";
import { comparable } from "./comparable.ts";
import { unshownOf } from "./shown-change.ts";

/** What a question showed of a change to files. */
export interface AskedChanges {
	/** The changes that it showed in addition to its input. */
	readonly changes: readonly Diff[];
	/** The paths of all changes that it showed. Absent if it showed none, or if not all of them were kept. */
	readonly changedFiles?: readonly string[];
}

/** As much of a change as is kept. `isCut`: that is not all of it. */
export interface ReportedChange {
	readonly diff: readonly Diff[];
	readonly isCut: boolean;
}

export function askedChanges(change: ReportedChange | undefined, input: Preview | undefined): AskedChanges {
	const { diff = [], isCut = false } = change ?? {};
	return { changes: unshownOf(diff, input), ...(diff.length > 0 && !isCut && { changedFiles: diff.map(({ path }) => path) }) };
}

/**
 * The files that a report of a command changes although its question showed changes of other files, and no text of the question names them.
 * Files of calls without a command are compared elsewhere.
 */
export function otherFiles(
	{
		command,
		changedFiles = [],
		shown,
	}: Pick<AskedChanges, "changedFiles"> & { readonly command?: string; readonly shown?: readonly string[] },
	reported: readonly Diff[],
): readonly string[] {
	if (command === undefined || changedFiles.length === 0 || shown === undefined) return [];
	const isShown = (path: string) =>
		changedFiles.some((file) => isSamePath(file, path)) || shown.some((text) => text.includes(fileName(path)));
	return [...new Set(reported.map(({ path }) => path))].filter((path) => !isShown(path));
}

/** True for two spellings of a path, of which one may lack the folders at the beginning. */
function isSamePath(one: string, other: string): boolean {
	return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}

/**
 * Whether a file was changed differently than the question showed. Only changes of the same old text are compared, because any other change
 * may be a part of the one that was shown.
 */
export function isOtherChange(shown: readonly Diff[], reported: readonly Diff[]): boolean {
	return reported.some((one) => {
		const [before, ...more] = shown.filter(({ path }) => path === one.path);
		const isSingle = more.length === 0 && reported.filter(({ path }) => path === one.path).length === 1;
		if (before === undefined || !isSingle || before.truncated || one.truncated) return false;
		return isSameText(before.oldText, one.oldText) && !isSameText(before.newText, one.newText);
	});
}

function isSameText(one = "", other = ""): boolean {
	return comparable(one) === comparable(other);
}
