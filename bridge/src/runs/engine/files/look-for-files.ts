import { join, resolve } from "node:path";
import {
	type Artifact,
	FileNames,
	type FoundFile,
	fileName,
	isSameFile,
	lastWord,
	plainPath,
	type RunEdits,
	SeenFiles,
} from "@xworkmate/contracts";
import type { ArtifactStore } from "../../../ports/artifacts/artifact-store.ts";
import type { FilesFound } from "../../../ports/runs/run-event.ts";

/** What a run is known to have left, before its files are looked for. */
export interface KnownFiles {
	readonly delivered: readonly Pick<Artifact, "relativePath">[];
	readonly edits: RunEdits | undefined;
}

interface Places extends KnownFiles {
	/** Where the run worked and delivered. */
	readonly folders: readonly string[];
	/** Absolute paths that its tool calls named. */
	readonly edited: ReadonlySet<string>;
	/** Files that changed at or after this time (in milliseconds) were changed by the run. */
	readonly since: number;
}

/** The maximum number of seen files that are kept, and of UTF-16 units of a path. */
const SEEN = 100;
const PATH = 1_000;

/**
 * Looks for files that a text names and that were not delivered: at the named paths, in the run's folders and their subfolders, and at the
 * paths that the run's tool calls named.
 */
export async function lookForFiles(
	store: Pick<ArtifactStore, "look" | "changeTimes">,
	names: readonly string[],
	{ delivered, edits, folders, edited, since }: Places,
): Promise<FilesFound> {
	const ofRun = new FileNames(delivered.map(({ relativePath }) => relativePath));
	const states = new Map<string, FoundFile>(names.filter((name) => ofRun.has(name)).map((name) => [name, "changed"]));
	// Two kinds of paths are skipped: those that begin with ~, because the agent's home directory cannot be checked, and those with
	// backslashes, because they are taken for Windows paths.
	const open = names.filter((name) => !ofRun.has(name) && !/^~|\\/.test(name));
	if (open.length === 0) return { states: [...states], seen: [] };
	const words = new Set(open.map(wordOf));
	const mayBeMeant = (path: string) => words.has(wordOf(path)) && path.length <= PATH;
	const { listed, isAll } = await list(store, folders);
	const there = new SeenFiles([...listed.keys()].filter(mayBeMeant));
	const reported = [...edited].filter(mayBeMeant);
	const seen = new Set([...listed].flatMap(([path, changedAt]) => (changedAt >= since && mayBeMeant(path) ? [path] : [])));
	for (const { path, status } of edits?.files ?? []) {
		const whole = join(edits?.directory ?? "", path);
		if (status !== "deleted" && mayBeMeant(whole)) seen.add(whole);
	}
	for (const path of reported.slice(0, SEEN)) if ((await store.look(new Set([path]), since)) === "changed") seen.add(path);
	for (const name of open) {
		const spelled = [name, name.normalize("NFC"), name.normalize("NFD")];
		const places = folders.flatMap((folder) => spelled.map((one) => resolve(folder, one)));
		const state = await store.look(new Set([...places, ...reported.filter((path) => isSameFile(path, name))]), since);
		const isUnseen = state === "absent" && !name.startsWith("/") && (!isAll || there.has(name));
		if (state !== undefined) states.set(name, isUnseen ? "unseen" : state);
	}
	return { states: [...states], seen: [...seen].slice(0, SEEN) };
}

/** The files of all folders with the times of their last changes. `isAll`: each folder could be listed. */
async function list(store: Pick<ArtifactStore, "changeTimes">, folders: readonly string[]) {
	const listed = new Map<string, number>();
	let isAll = true;
	for (const folder of folders) {
		const times = await store.changeTimes(folder);
		if (times === undefined) isAll = false;
		for (const [path, changedAt] of times ?? []) listed.set(path, changedAt);
	}
	return { listed, isAll };
}

function wordOf(path: string): string {
	return lastWord(fileName(plainPath(path)));
}
