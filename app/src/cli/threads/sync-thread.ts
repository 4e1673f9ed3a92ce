import type { ThreadId } from "@xworkmate/contracts";
import { commandLine } from "../../text/command-line.ts";
import { oneLine, pathLine } from "../../text/printable.ts";
import { currentTurn, type Thread, type TurnStatus } from "../../threads/domain/thread.ts";
import type { Output } from "../parts/output.ts";
import { print } from "../parts/print.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import { partialLines } from "../words/runs/partial-lines.ts";
import { setAsideLines } from "../words/runs/set-aside-lines.ts";

/** Exits with `notSaved` if a file that a run delivered is not in the folder, or `beforeRun` if files were not checked. */
export async function syncThread(output: Output, threadId: ThreadId): Promise<ExitCode> {
	const thread = await output.api.sync({ threadId });
	const { lastArtifactSyncStatus: status, lastTaskArtifactRelativePaths, restored, unchanged, broughtBack, setAside } = thread;
	const { paths, lacking } = broughtBack ?? { paths: [], lacking: [] };
	const delivered = status === "synced" || status === "partial";
	const others = new Set([...restored, ...unchanged, ...(thread.gone ?? [])]);
	const saved = lastTaskArtifactRelativePaths.filter((path) => !others.has(path));
	const isRest = status === "partial" || restored.length + saved.length > 0;
	const command = commandLine(`sync ${oneLine(threadId, 200)}`);
	const isWorthATry = status === "partial" || lacking.some(({ isUnlisted }) => isUnlisted !== true);
	const isNothing = broughtBack !== undefined && !isRest && paths.length + lacking.length === 0;
	const lines = [
		...(delivered ? [] : noneSaved(thread)),
		...restoredFiles(restored, ""),
		...(saved.length === 0 ? [] : filesUnder("Saved", saved)),
		...(isNothing ? [] : unchangedFiles(unchanged.length, isRest)),
		...(status === "partial" ? partialLines(thread) : []),
		...(setAside === undefined ? [] : setAsideLines(setAside, (await output.api.showThread({ threadId })).folder)),
		...restoredFiles(paths, " of earlier runs"),
		...lacking.map(({ path, message }) => `Not downloaded: ${pathLine(path)} (${oneLine(message, 300)})`),
		...(isWorthATry
			? [`  Try again: ${command}. If it keeps failing, ask for the files in a new message.`]
			: lacking.length > 0
				? ["  Ask for the files in a new message."]
				: []),
		...(broughtBack === undefined
			? ["The thread is running again, so files of earlier runs were not checked.", `  Check them when the run has ended: ${command}`]
			: []),
		...(isNothing ? [delivered ? nothingChanged : nothingMissing] : []),
	];
	print(output, thread, lines);
	if (status === "partial" || lacking.length > 0) return exitCode.notSaved;
	const isUnknown = !delivered && shownStatus(thread) === "unresolved";
	return broughtBack === undefined || isUnknown ? exitCode.beforeRun : exitCode.success;
}

const unsuccessful = "No files of the last run were saved, because it didn't succeed.";

const noneSavedWords: Partial<Readonly<Record<TurnStatus, string>>> = {
	completed: "The last run delivered no files.",
	failed: unsuccessful,
	artifact_missing: unsuccessful,
	cancelled: unsuccessful,
	interrupted: "No files of the last run were saved, because it was interrupted.",
	unresolved: "XWorkmate can't tell whether the last run delivered files.",
	refused: "The last message was refused, so it didn't start a run.",
};

/** Why no files of the last run were saved. A run in progress is reported in another line. */
function noneSaved(thread: Pick<Thread, "turns">): readonly string[] {
	const status = shownStatus(thread);
	const why = status === undefined ? undefined : noneSavedWords[status];
	return why === undefined ? [] : [why];
}

/** The last turn's status. A turn that was interrupted without a known run may still have had one, so it counts as unresolved. */
function shownStatus(thread: Pick<Thread, "turns">): TurnStatus | undefined {
	const turn = currentTurn(thread);
	return turn?.status === "interrupted" && turn.runId === undefined ? "unresolved" : turn?.status;
}

const nothingMissing = "No files of earlier runs are missing from the folder.";
const nothingChanged = "Nothing to restore: no files are missing from the folder.";

/** The user may have deleted these files on purpose, so the output says that they were restored. */
function restoredFiles(paths: readonly string[], of: string): readonly string[] {
	const were = paths.length === 1 ? `file${of} that was` : `files${of} that were`;
	const listed = paths.map((path) => `  ${pathLine(path)}`);
	return paths.length === 0 ? [] : [`Restored ${paths.length} ${were} missing from the folder:`, ...listed];
}

function filesUnder(title: string, paths: readonly string[]): readonly string[] {
	return [`${title}: ${paths.length} ${paths.length === 1 ? "file" : "files"}`, ...paths.map((path) => `  ${pathLine(path)}`)];
}

/** How many files of the last run were unchanged. `isRest`: its other files were saved, restored, or are not in the folder. */
function unchangedFiles(count: number, isRest: boolean): readonly string[] {
	if (count === 0) return [];
	return [
		`${count} ${isRest ? "other " : ""}${count === 1 ? "file" : "files"} of the last run ${count === 1 ? "was" : "were"} already in the folder.`,
	];
}
