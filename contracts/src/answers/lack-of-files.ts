import type { CallEvidence } from "./call-evidence.ts";
import type { NamedFiles } from "./claims/named-files.ts";
import type { FileNames } from "./same-file.ts";
import type { SeenFiles } from "./seen-files.ts";

/**
 * What is known about a file that an answer names: whether it was changed during the run, exists unchanged, or does not exist. A name
 * without a root is only looked for in the folders of the run. `unseen`: nothing is at that path, but the name may mean another file in
 * these folders.
 */
export type FoundFile = "changed" | "unchanged" | "absent" | "unseen";

/** `not_here`: the file was not found in the run's folders, and may be elsewhere. */
export type FileLack = "none" | "still_there" | "no_file" | "not_here";

interface KnownFiles {
	readonly calls: CallEvidence;
	readonly deliveredFiles: FileNames;
	readonly seenFiles: SeenFiles;
	readonly found?: ReadonlyMap<string, FoundFile> | undefined;
	readonly deleted: readonly string[];
}

/**
 * Why the evidence does not show that these files were created, removed or renamed, as a sentence of the answer claims; undefined if the
 * evidence does show it.
 */
export function lackOfFiles({ names, isRemoved, from }: NamedFiles, sentence: string, known: KnownFiles): FileLack | undefined {
	const { calls, found, deliveredFiles, seenFiles, deleted } = known;
	if (isRemoved) {
		const name = names[0] ?? "";
		const state = found?.get(name);
		if (state === "changed" || state === "unchanged") return "still_there";
		return calls.names(name, true) || deleted.some((path) => isDeletion(path, name)) ? undefined : "none";
	}
	// A file that was renamed, and then made again, has changed.
	if (from !== undefined && found?.get(from) === "unchanged") return "none";
	const isThere = (name: string) => {
		if (deliveredFiles.has(name)) return true;
		if (seenFiles.has(name, sentence)) return true;
		const state = found?.get(name);
		return state === undefined ? calls.names(name, false) : state === "changed";
	};
	if (names.some(isThere)) return undefined;
	// A command may have written the file anywhere.
	if (calls.isAnywhere || !names.every((name) => found?.get(name) === "absent")) return "none";
	return names.every((name) => name.startsWith("/")) ? "no_file" : "not_here";
}

/** The first file with this lack, if a sentence says something of several files. */
export function fileThatLacks(lack: string, files: readonly NamedFiles[], sentence: string, known: KnownFiles): string | undefined {
	if (files.length < 2) return undefined;
	return files.find((named) => lackOfFiles(named, sentence, known) === lack)?.names.at(-1);
}

/** Whether a deleted file, given by its whole path in the run's folder, is the file that a claim names. */
function isDeletion(path: string, name: string): boolean {
	return path === name || path.endsWith(`/${name.replace(/^\.\//, "")}`) || (name.startsWith("/") && name.endsWith(`/${path}`));
}
