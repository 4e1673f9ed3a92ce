import { RunId, ThreadId } from "@xworkmate/contracts";
import { type Command, Option } from "commander";
import { checked, json, type ProgramContext, perform } from "../parts/command-parts.ts";
import { type ChangeFlags, changesCommand, refuseLoose } from "./change-commands.ts";

/** `xworkmate changes` */
export function addChanges(program: Command, context: ProgramContext): void {
	const acts = ["diff", "apply", "discard", "commit"];
	const others = (act: string) => acts.filter((other) => other !== act);
	program
		.command("changes")
		.description("List, apply, commit or discard a thread's changes in a git repository")
		.argument("<thread>", "The thread's id", (id: string) => checked(ThreadId.safeParse(id), "the id of a thread"))
		.option("--run <id>", "Only what changed during this run", (id: string) => checked(RunId.safeParse(id), "the id of a run"))
		.addOption(new Option("--diff <file>", "Show the diff of a file").conflicts(others("diff")))
		.addOption(
			new Option("--apply [files...]", "Apply the worktree's changes to your folder: the files you name, or all with --all").conflicts([
				...others("apply"),
				"run",
			]),
		)
		.addOption(new Option("--discard [files...]", "Discard the changes to files; with --all, to every file").conflicts(others("discard")))
		.option("--all", "Every file in the list; with --apply, those applied earlier only if there are no others")
		.addOption(new Option("--commit", "Commit the contents of the thread's worktree to its branch").conflicts([...others("commit"), "run"]))
		.option("-m, --message <text>", "The commit message")
		.option("--yes", "Discard without asking")
		.addOption(json)
		.action((threadId: ThreadId, { json: isJson, ...flags }: ChangeFlags & { json?: boolean }) => {
			refuseLoose(flags);
			return perform(context, isJson === undefined ? {} : { json: isJson }, (output) => changesCommand(output, threadId, flags, context));
		});
}
