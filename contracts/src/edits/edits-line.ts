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
 * (deleted)"; "since the run began" if it isn't known when the run's agent ended. Who changed them isn't known: the user may have edited a
 * file during the run. If the changes aren't known, the sentence says why. For a run without a project folder, it names the folder on the
 * bridge's machine. Hidden characters in names are made visible. Pure.
 */
export function editsLine({ place, directory, files, total, unknown, late }: RunEdits): string {
	if (unknown !== undefined) {
		return `What changed in ${names[place]} during the run is not known, because ${lost[unknown]}: ${visibleWithin(directory, 1_000)}`;
	}
	const named = files.slice(0, NAMED).map(({ path, status }) => `${visibleWithin(path, NAME)}${marks[status]}`);
	const where = place === "workspace" ? `${places[place]} ${visibleWithin(directory, 1_000)}` : places[place];
	const more = total > named.length ? ` and ${total - named.length} more` : "";
	const when = late === true ? "since the run began" : "during the run";
	return `${total === 1 ? "1 file" : `${total} files`} changed ${where} ${when}: ${named.join(", ")}${more}`;
}
