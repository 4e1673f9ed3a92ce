import { ThreadId } from "@xworkmate/contracts";
import type { Command } from "commander";
import { WrongUsage } from "../../errors/wrong-usage.ts";
import { commandLine } from "../../text/command-line.ts";
import { tagProblem } from "../../threads/domain/tag-problem.ts";
import { type Act, checked, json, type ProgramContext, perform } from "../parts/command-parts.ts";
import { addRemoval } from "../parts/confirm.ts";
import type { Output } from "../parts/output.ts";
import { threadRemoval } from "../parts/removals.ts";
import { type ExportFlags, exportThread } from "./export-command.ts";
import { syncThread } from "./sync-thread.ts";
import {
	archiveThread,
	deleteThread,
	listThreads,
	openFolder,
	pinThread,
	restoreThread,
	showThread,
	tagThread,
} from "./thread-commands.ts";

export function addThreads(program: Command, context: ProgramContext): void {
	const threads = program.command("threads").description("List, show, export, pin, tag, archive, restore and delete threads");
	threads
		.command("list", { isDefault: true })
		.description("List threads: pinned ones first, then newest first")
		.option("--archived", "List archived threads instead")
		.addOption(json)
		.action((flags: { archived?: boolean; json?: boolean }) =>
			perform(context, flags, (output) => listThreads(output, flags.archived === true), true),
		);
	addThreadCommand(threads, "show", context, showThread, "Show a thread: its messages, runs and files", true);
	const exporting = threads
		.command("export")
		.description("Write a thread as Markdown, or as a zip with its files and their hashes")
		.argument("<thread>", "The thread's id", threadId)
		.option("--zip", "Write a zip with the Markdown, the thread's files and a list of their hashes")
		.option("--to <file>", "The file to write; it must not exist yet. Without --to, the Markdown is printed")
		.addOption(json)
		.action((id: ThreadId, flags: ExportFlags) => {
			if (flags.zip === true && flags.to === undefined) exporting.error(zipNeedsFile(id));
			return perform(context, flags, (output) => exportThread(output, id, flags), flags.zip !== true);
		});
	addThreadCommand(threads, "pin", context, (output, id) => pinThread(output, id, true), "Keep a thread at the top of the list", true);
	addThreadCommand(
		threads,
		"unpin",
		context,
		(output, id) => pinThread(output, id, false),
		"Stop keeping a thread at the top of the list",
		true,
	);
	threads
		.command("tag")
		.description("Set a thread's tags, or remove them all if none are given")
		.argument("<thread>", "The thread's id", threadId)
		.argument("[tags...]", "The tags, each of 1 to 40 characters")
		.addOption(json)
		.action((id: ThreadId, tags: readonly string[], flags: { json?: boolean }) => {
			const why = tagProblem(tags);
			if (why !== undefined)
				throw new WrongUsage(why, `Correct the tags, for example: ${commandLine('threads tag <thread> "to read" work')}`);
			return perform(context, flags, (output) => tagThread(output, id, tags), true);
		});
	addThreadCommand(threads, "archive", context, archiveThread, "Archive a thread", true);
	addThreadCommand(threads, "restore", context, restoreThread, "Restore an archived thread", true);
	const remove = threads
		.command("delete")
		.description("Permanently delete a thread and its files; asks first")
		.argument("<thread>", "The thread's id", threadId);
	addRemoval(remove, context, threadRemoval, deleteThread);
	addThreadCommand(
		program,
		"sync",
		context,
		syncThread,
		"Save the files of a thread's last run in its folder again, and fetch any files of earlier runs that are missing from it",
	);
	addOpen(program, context);
}

function zipNeedsFile(id: ThreadId): string {
	return `error: A zip can't be printed, so it needs a file: ${commandLine(`threads export ${id} --zip --to thread.zip`)}`;
}

function threadId(id: string): ThreadId {
	return checked(ThreadId.safeParse(id), "the id of a thread");
}

function addOpen(program: Command, context: ProgramContext): void {
	program
		.command("open")
		.description("Open the page in the browser with a new link, or open a thread's folder")
		.argument("[thread]", "The thread's id", (id: string) => checked(ThreadId.safeParse(id), "the id of a thread"))
		.option("--print", "Only print the link, or the folder's path")
		.option("--window", "Open the page in its own window if this system has a web view, otherwise in the browser")
		.action(async (threadId: ThreadId | undefined, { print, window }: { print?: boolean; window?: boolean }) => {
			const how = print === true ? "print" : window === true ? "window" : "browser";
			if (threadId === undefined) return context.done(await context.openPage(how));
			await perform(context, {}, (output) => openFolder(output, threadId, how === "print" ? undefined : context.open), true);
		});
}

function addThreadCommand(
	parent: Command,
	name: string,
	context: ProgramContext,
	act: (output: Output, threadId: ThreadId) => ReturnType<Act>,
	description: string,
	withoutBridge = false,
): void {
	parent
		.command(name)
		.description(description)
		.argument("<thread>", "The thread's id", (id: string) => checked(ThreadId.safeParse(id), "the id of a thread"))
		.addOption(json)
		.action((threadId: ThreadId, flags: { json?: boolean }) => perform(context, flags, (output) => act(output, threadId), withoutBridge));
}
