import type { EditList, MethodResult, RunId, ThreadId, UnfinishedEdit } from "@xworkmate/contracts";
import { AppError } from "../../errors/app-error.ts";
import { WrongUsage } from "../../errors/wrong-usage.ts";
import { editsUntilWords } from "../../strings/files/changes-words.ts";
import { commandLine } from "../../text/command-line.ts";
import { notCompared } from "../../text/files/not-compared.ts";
import { localTime } from "../../text/local-time.ts";
import { printable } from "../../text/printable.ts";
import type { ProgramContext } from "../parts/command-parts.ts";
import { whyUnasked } from "../parts/confirm.ts";
import type { Output } from "../parts/output.ts";
import { print } from "../parts/print.ts";
import { changeLines, countedFiles, shownPath } from "../words/change-lines.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";

/** The flags of `xworkmate changes`, as commander gives them. */
export interface ChangeFlags {
	readonly run?: RunId;
	readonly diff?: string;
	/** True if the flag is given without names. */
	readonly apply?: readonly string[] | true;
	readonly discard?: readonly string[] | true;
	readonly all?: true;
	readonly commit?: true;
	readonly message?: string;
	readonly yes?: true;
}

/** Which changes are listed: those of a thread, or of one of its runs. */
interface ListedFor {
	readonly threadId: ThreadId;
	readonly runId?: RunId;
}

type Asking = Pick<ProgramContext, "confirm">;

/** Lists what a thread changed, or applies, commits or discards it. An action applies only to the files exactly as they were listed. */
export async function changesCommand(output: Output, threadId: ThreadId, flags: ChangeFlags, context: Asking): Promise<ExitCode> {
	const { api } = output;
	const which = { threadId, ...(flags.run !== undefined && { runId: flags.run }) };
	if (flags.diff !== undefined) {
		const path = await diffedPath(api, which, flags.diff);
		const diff = await api.readEdit({ ...which, path });
		print(output, diff, [
			...changeLines([diff.file]),
			...diffLines(output, diff.text),
			...(diff.truncated ? ["… The rest of the diff isn't shown."] : []),
		]);
		return exitCode.success;
	}
	if (flags.commit) return await commit(output, threadId, flags.message);
	const list = await api.listEdits(which);
	if (flags.apply !== undefined) {
		const { applied } = await api.applyEdits({ threadId, seen: list.seen, ...chosen(list, flags.apply, flags.all) });
		const words = `Applied ${countedFiles(applied.length)} to ${printable(list.checkout)}: ${applied.map(shownPath).join(", ")}`;
		print(output, { applied }, [words]);
		return exitCode.success;
	}
	if (flags.discard === undefined) {
		print(output, list, listLines(list, which));
		return exitCode.success;
	}
	const discarding = chosen(list, flags.discard, flags.all);
	const { paths = list.files.map(({ path }) => path) } = discarding;
	const count = discarding.paths?.length ?? list.total;
	// If there is nothing to discard, the bridge says so.
	const isSure = flags.yes || count === 0;
	if (!isSure && !(await isWanted(context, output, { paths, count, since: sinceWords(list, flags.run) }))) {
		output.console.note("Nothing was discarded.");
		return exitCode.cancelled;
	}
	const { discarded } = await api.discardEdits({ ...which, seen: list.seen, ...discarding });
	print(output, { discarded }, [`Discarded ${countedFiles(discarded.length)}: ${discarded.map(shownPath).join(", ")}`]);
	return exitCode.success;
}

/** The path that `--diff` names. Only a name in the form of the list needs the list. */
async function diffedPath(api: Output["api"], which: ListedFor, name: string): Promise<string> {
	return /[\\"]|^\.\/-/.test(name) ? (pathNamed(await api.listEdits(which), name) ?? name) : name;
}

async function commit({ api, ...output }: Output, threadId: ThreadId, message: string | undefined): Promise<ExitCode> {
	// The list is read first: if there is no such thread, the error should say so instead of asking for a message.
	const { seen } = await api.listEdits({ threadId });
	if (message === undefined || message.trim() === "") {
		throw new WrongUsage("A commit needs a message.", 'Give one: --commit -m "What changed"');
	}
	const made = await api.commitEdits({ threadId, seen, message });
	print({ api, ...output }, made, [committedLine(made)]);
	return exitCode.success;
}

function committedLine({ commit: id, branch, files, author }: MethodResult<"xworkmate.edits.commit">): string {
	const counted = files === undefined ? "" : ` (${countedFiles(files)})`;
	const by = author === undefined ? "" : `, as ${printable(author.name)} <${printable(author.email)}>`;
	const why = author?.configured === false ? " Git lacks a user.name or a user.email here." : "";
	return `Committed ${id.slice(0, 12)}${counted} to the branch ${printable(branch)}${by}.${why}`;
}

/** @throws WrongUsage for flags that say too little, or contradict each other */
export function refuseLoose({ all, apply, discard, message, commit: isCommit, yes }: ChangeFlags): void {
	const acts = apply ?? discard;
	if (all && acts === undefined)
		throw new WrongUsage("--all only selects the files. Also say what to do with them.", "Add --apply or --discard.");
	if (acts === true && !all) throw new WrongUsage("No files were given.", "Name the files, or add --all.");
	if (Array.isArray(acts) && all)
		throw new WrongUsage("File names and --all can't be used together.", "Leave out the file names, or leave out --all.");
	if (message !== undefined && !isCommit) throw new WrongUsage("--message only works with --commit.", "Add --commit.");
	if (yes && discard === undefined) throw new WrongUsage("--yes only works with --discard.", "Leave out --yes.");
}

/** No `paths` means every file. If the list was cut short, only the bridge knows all of its paths, so they are not checked here. */
function chosen(list: EditList, named: readonly string[] | true, all: true | undefined): { paths?: string[] } {
	if (named === true || all) return {};
	const found = named.map((name) => [name, pathNamed(list, name)] as const);
	const unknown = list.total > list.files.length ? undefined : found.find(([, path]) => path === undefined)?.[0];
	if (unknown === undefined) return { paths: found.map(([name, path = name]) => path) };
	throw new AppError(
		"INVALID_INPUT",
		`${shownPath(unknown)} is not in the list of changes.`,
		"Write each path exactly as the list shows it.",
	);
}

/**
 * The path that a name on the command line means: the path itself, or the path as the list shows it. A shell removes quotation marks that
 * are not themselves quoted. Undefined if the list has no such path.
 */
function pathNamed({ files }: Pick<EditList, "files">, name: string): string | undefined {
	const names = new Set([name, `"${name}"`]);
	const meant = files.map(({ path }) => path).filter((path) => path === name || names.has(shownPath(path)));
	if (meant.length < 2) return meant[0];
	throw new AppError(
		"INVALID_INPUT",
		`${shownPath(name)} means more than one file in the list: ${meant.map(shownPath).join(", ")}`,
		"Choose these files on the page.",
	);
}

interface Discarding {
	readonly paths: readonly string[];
	/** How many files are discarded; `paths` may name fewer. */
	readonly count: number;
	readonly since: string;
}

/** @throws AppError if the user can't be asked */
async function isWanted(context: Asking, { console, json }: Output, { paths, count, since }: Discarding): Promise<boolean> {
	if (!console.canAsk || json) {
		const message = `${whyUnasked(json)} Nothing was discarded.`;
		throw new AppError("INVALID_INPUT", message, "To skip the confirmation, add --yes.");
	}
	const named = paths.slice(0, 5).map(shownPath).join(", ");
	console.line(`This discards the changes${since} to ${countedFiles(count)}: ${named}${count > 5 ? ", …" : ""}`);
	return await context.confirm("Continue?");
}

/** Since when the list of all runs has changes, if it is of a folder: " since 12 Nov 10:42". */
function sinceWords({ since }: EditList, runId: RunId | undefined): string {
	return since === undefined || runId !== undefined ? "" : ` since ${localTime(since, Date.now())}`;
}

function listLines(list: EditList, { threadId, runId }: ListedFor): string[] {
	const isOfAllRuns = runId === undefined;
	// The list for all runs has only changes that the user's folder doesn't have; the list for one run may have others.
	const [yet, unapplied] = list.place === "worktree" && isOfAllRuns ? [notApplied(list), " that aren't applied"] : ["", ""];
	const where = list.place === "worktree" ? `In the thread's worktree ${list.directory} (${branchWords(list)})` : `In ${list.directory}`;
	// "During" the run, not "by" it, because the user may have changed some of the files at the same time.
	const when = isOfAllRuns ? sinceWords(list, runId) : ` ${editsUntilWords[list.until ?? "end"]}`;
	const none =
		list.until === "still"
			? "none of the compared files that changed during this run still differs from its state before the run"
			: `no changes${unapplied} in the compared files${when}`;
	const more = list.total - list.files.length;
	return [
		list.total === 0 ? `${printable(where)}: ${none}.` : `${printable(where)}: ${countedFiles(list.total)} changed${when}${yet}.`,
		...changeLines(list.files),
		...(more > 0 ? [`… and ${more} more.`] : []),
		...(list.unfinished === undefined ? [] : [`${unfinishedWords(list.unfinished)}:  ${list.unfinished.files.map(shownPath).join(", ")}`]),
		...uncommittedLines(list),
		notCompared(list, shownPath),
		...(list.total > 0
			? [`See the diff of a file: ${commandLine(`changes ${threadId}${isOfAllRuns ? "" : ` --run ${runId}`} --diff FILE`)}`]
			: []),
	];
}

function notApplied({ files }: EditList): string {
	return files.some(({ applied }) => applied !== undefined)
		? ", not applied yet, or undone or changed in your folder since"
		: ", not applied yet";
}

/** The branch that is checked out. */
function branchWords({ branch = "", elsewhere }: EditList): string {
	const on = elsewhere === undefined ? branch : elsewhere.branch;
	return on === undefined ? "on no branch" : `branch ${on}`;
}

function uncommittedLines({ uncommitted, total, branch = "", elsewhere }: EditList): string[] {
	if (elsewhere !== undefined) {
		const differing = uncommitted === undefined ? "" : ` The worktree differs from it in ${countedFiles(uncommitted)}.`;
		return [`The thread's own branch is ${printable(branch)}, which isn't checked out.${differing}`];
	}
	if (uncommitted === undefined) return [];
	if (uncommitted === 0) return total === 0 ? [] : ["The branch already has everything, so there is nothing to commit."];
	return [`Not committed to the branch yet, whether applied or not: ${countedFiles(uncommitted)}.`];
}

function unfinishedWords({ action, why, failed }: UnfinishedEdit): string {
	const done = action === "apply" ? "applied" : "discarded";
	if (failed) return `Not ${done}, because these files couldn't be written or came after one that couldn't`;
	switch (why) {
		case "changed":
			return `Not ${done}, because these files changed while XWorkmate was writing`;
		case "interrupted":
			return `Not ${done}, because writing was interrupted and these files have changed since, or because the data folder was restored from a backup`;
		case undefined:
			return `Not ${done}, because something else had changed these files`;
	}
}

function diffLines({ console }: Output, text: string): string[] {
	return printable(text)
		.split("\n")
		.filter((line, at, all) => line !== "" || at < all.length - 1)
		.map((line) => (line.startsWith("+") ? console.colors.green(line) : line.startsWith("-") ? console.colors.red(line) : line));
}
