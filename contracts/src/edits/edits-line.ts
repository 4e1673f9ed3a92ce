import { visibleWithin } from "../text/visible.ts";
import type { EditStatus, EditsUnknown, RunEdits } from "./edit.ts";

/** How many files are named. */
const NAMED = 5;
const NAME = 200;

const marks: Readonly<Record<EditStatus, string>> = { added: " (new)", modified: "", deleted: " (deleted)" };

const places: Readonly<Record<RunEdits["place"], string>> = {
	folder: "in the project folder",
	worktree: "in the worktree",
	workspace: "in",
};

const names: Readonly<Record<RunEdits["place"], string>> = {
	folder: "the project folder",
	worktree: "the worktree",
	workspace: "the working folder",
};

const lost: Readonly<Record<EditsUnknown, string>> = {
	folder_gone: "the folder no longer exists",
	repository_gone: "its git repository no longer exists",
	unreadable: "it couldn't be read",
};

/**
 * The known changes in the folder where a run worked, in one sentence: "3 files changed in the project folder during the run: a, b (new), c
 * (deleted)"; "since the run began" if it isn't known when the run's agent ended. Files that may have changed are named after those that
 * did: "; 2 more may have changed: d, e". Who changed them isn't known: the user may have edited a file during the run. If the changes
 * aren't known, the sentence says why. For a run without a project folder, it names the folder on the bridge's machine. Hidden characters
 * in names are made visible. Pure.
 */
export function editsLine({ place, directory, files, total, unsure, unknown, late }: RunEdits): string {
	if (unknown !== undefined && unsure === undefined) {
		return `What changed in ${names[place]} during the run is not known, because ${lost[unknown]}: ${visibleWithin(directory, 1_000)}`;
	}
	const where = place === "workspace" ? `${places[place]} ${visibleWithin(directory, 1_000)}` : places[place];
	const when = late === true ? "since the run began" : "during the run";
	const changed = named(
		files.map(({ path, status }) => [path, marks[status]]),
		total,
	);
	const did = total === 0 ? "" : `${counted(total)} changed ${where} ${when}: ${changed}`;
	if (unsure === undefined) return did;
	const others = named(
		unsure.paths.map((path) => [path, ""]),
		unsure.total,
	);
	if (did !== "") return `${did}; ${unsure.total} more may have changed: ${others}`;
	return `${counted(unsure.total)} may have changed ${where} ${when}: ${others}`;
}

function counted(files: number): string {
	return files === 1 ? "1 file" : `${files} files`;
}

/** The first files, each with its mark, and how many more there are. */
function named(files: readonly (readonly [path: string, mark: string])[], total: number): string {
	const names = files.slice(0, NAMED).map(([path, mark]) => `${visibleWithin(path, NAME)}${mark}`);
	const more = total - names.length;
	return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
