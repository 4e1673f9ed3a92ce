import { ApprovalId, ThreadId } from "@xworkmate/contracts";
import { Command, InvalidArgumentError, Option } from "commander";
import type { AppApi } from "../core/app-api.ts";
import type { Console } from "./console.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import type { OpenPageHow } from "./open-page-command.ts";
import { type RunFlags, runCommand } from "./run-command.ts";
import {
	archiveThread,
	cancelTask,
	decideApproval,
	deleteThread,
	listApprovals,
	listGrants,
	listTasks,
	listThreads,
	type Output,
	restoreThread,
	revokeGrant,
	showThread,
	syncThread,
} from "./thread-commands.ts";

/** What the commands need of the process around them. */
export interface ProgramContext {
	readonly console: Console;
	/** The app that owns the home, or this process as its owner. `withoutBridge`: only the app's own state is read. */
	withApp<T>(use: (api: AppApi) => Promise<T>, options?: { readonly withoutBridge: boolean }): Promise<T>;
	onInterrupt(listener: () => void): () => void;
	/** `show`: where the page is opened as well. */
	start(show: "browser" | "window" | undefined): Promise<ExitCode>;
	bridge(args: readonly string[]): Promise<ExitCode>;
	doctor(json: boolean): Promise<ExitCode>;
	logs(follow: boolean): Promise<ExitCode>;
	open(path: string): Promise<void>;
	/** A new link to the running app's page, opened or only printed. */
	openPage(how: OpenPageHow): Promise<ExitCode>;
	/** Where the exit code goes. */
	done(code: ExitCode): void;
}

const json = new Option("--json", "print JSON, one document a line");

/** The `xworkmate` command (CONTRACT, The command). */
export function createProgram(context: ProgramContext): Command {
	const program = new Command("xworkmate")
		.description("One bridge in front of every agent, one folder per thread, nothing called done without evidence.")
		.showHelpAfterError("(see xworkmate --help)")
		.exitOverride();
	addProcesses(program, context);
	addRun(program, context);
	addThreads(program, context);
	addTasks(program, context);
	addApprovals(program, context);
	addGrants(program, context);
	return program;
}

function addProcesses(program: Command, context: ProgramContext): void {
	program
		.command("start")
		.description("run the bridge and the app until stopped")
		.option("--open", "open the page in the browser")
		.option("--window", "open the page in a window of its own, where a web view is to be had, else in the browser")
		.action(async ({ open, window }: { open?: boolean; window?: boolean }) =>
			context.done(await context.start(window === true ? "window" : open === true ? "browser" : undefined)),
		);
	program
		.command("bridge")
		.description("run the bridge alone")
		.argument("[settings...]", "the bridge's own flags, after --")
		.action(async (args: string[]) => context.done(await context.bridge(args)));
	program
		.command("doctor")
		.description("explain what works here, what does not, and what to do about it")
		.addOption(json)
		.action(async (flags: { json?: boolean }) => context.done(await context.doctor(flags.json === true)));
	program
		.command("logs")
		.description("print the bridge's log")
		.option("-f, --follow", "go on printing")
		.action(async (flags: { follow?: boolean }) => context.done(await context.logs(flags.follow === true)));
}

function addRun(program: Command, context: ProgramContext): void {
	program
		.command("run")
		.description("send one message and wait for its end; exit code 0 success, 3 failed, 4 file missing, 5 cancelled, 6 interrupted")
		.argument("<prompt>", "the message, or - for standard input")
		.option("--thread <id>", "continue this thread")
		.addOption(new Option("--target <target>", "where it runs").choices(["agent", "gateway"]).default("agent"))
		.option("--provider <id>", "which agent")
		.option("--model <model>", "which model of the agent")
		.option("--cwd <dir>", "project folder to work in")
		.option("--require <glob>", "a file that must come out; may be repeated", collect, [])
		.option("--attach <file>", "a file to send along; may be repeated", collect, [])
		.addOption(new Option("--approve <mode>", "requests for permission").choices(["ask", "all", "none"]).default("ask"))
		.option("--timeout <seconds>", "cancel after this long", seconds)
		.option("--detach", "send and leave; the task goes on in the bridge")
		.addOption(json)
		.action(async (prompt: string, flags: RunFlags) => {
			const { console, onInterrupt } = context;
			const withApp: ProgramContext["withApp"] = (use) => context.withApp(use);
			context.done(await runCommand({ console, onInterrupt, withApp }, prompt, flags));
		});
}

type Act = (output: Output) => Promise<void>;

/** Runs one act against the app and ends with success. */
async function perform(context: ProgramContext, flags: { json?: boolean }, act: Act, withoutBridge = false): Promise<void> {
	await context.withApp((api) => act({ api, console: context.console, json: flags.json === true }), { withoutBridge });
	context.done(exitCode.success);
}

function addThreads(program: Command, context: ProgramContext): void {
	const threads = program.command("threads").description("list and tend threads");
	threads
		.command("list", { isDefault: true })
		.description("newest first")
		.option("--archived", "the archived ones")
		.addOption(json)
		.action((flags: { archived?: boolean; json?: boolean }) =>
			perform(context, flags, (output) => listThreads(output, flags.archived === true), true),
		);
	const verbs = { show: showThread, archive: archiveThread, restore: restoreThread, delete: deleteThread };
	for (const [name, act] of Object.entries(verbs)) addThreadCommand(threads, name, context, act);
	addThreadCommand(program, "sync", context, syncThread, "put the thread's checked files into its folder again");
	addOpen(program, context);
}

function addOpen(program: Command, context: ProgramContext): void {
	program
		.command("open")
		.description("open the app in the browser by a new link, or a thread's folder")
		.argument("[thread]", "its id", (id: string) => checked(ThreadId.safeParse(id), "a thread's id"))
		.option("--print", "print the link and open nothing")
		.option("--window", "open the app in a window of its own")
		.action(async (threadId: ThreadId | undefined, { print, window }: { print?: boolean; window?: boolean }) => {
			const how = print === true ? "print" : window === true ? "window" : "browser";
			if (threadId === undefined) return context.done(await context.openPage(how));
			await perform(context, {}, async ({ api }) => context.open((await api.showThread(threadId)).folder));
		});
}

function addThreadCommand(
	parent: Command,
	name: string,
	context: ProgramContext,
	act: (output: Output, threadId: ThreadId) => Promise<void>,
	description = `${name} a thread`,
): void {
	parent
		.command(name)
		.description(description)
		.argument("<thread>", "its id", (id: string) => checked(ThreadId.safeParse(id), "a thread's id"))
		.addOption(json)
		.action((threadId: ThreadId, flags: { json?: boolean }) => perform(context, flags, (output) => act(output, threadId)));
}

function addTasks(program: Command, context: ProgramContext): void {
	program
		.command("tasks")
		.description("list the bridge's runs, newest first")
		.option("--thread <id>", "of this thread only", (id: string) => checked(ThreadId.safeParse(id), "a thread's id"))
		.addOption(json)
		.action((flags: { thread?: ThreadId; json?: boolean }) => perform(context, flags, (output) => listTasks(output, flags.thread)));
	program
		.command("cancel")
		.description("ask a run to stop, or what a thread has under way; what only waits in the OpenClaw queue is over at once")
		.argument("<id>", "a run's id, or a thread's", (id: string) => checked(ThreadId.safeParse(id), "a run's id, or a thread's"))
		.action((id: ThreadId) => perform(context, {}, (output) => cancelTask(output, id)));
}

function addApprovals(program: Command, context: ProgramContext): void {
	const approvals = program.command("approvals").description("requests for permission that wait for you");
	approvals
		.command("list", { isDefault: true })
		.description("what is pending")
		.addOption(json)
		.action((flags: { json?: boolean }) => perform(context, flags, listApprovals));
	const verbs = { allow: "allow_once", "allow-window": "allow_window", deny: "deny" } as const;
	for (const [name, decision] of Object.entries(verbs)) {
		approvals
			.command(name)
			.description(`answer with ${decision.replace("_", " ")}`)
			.argument("<approval>", "its id", (id: string) => checked(ApprovalId.safeParse(id), "an approval's id"))
			.addOption(json)
			.action((approvalId: ApprovalId, flags: { json?: boolean }) =>
				perform(context, flags, (output) => decideApproval(output, approvalId, decision)),
			);
	}
}

function addGrants(program: Command, context: ProgramContext): void {
	const grants = program.command("grants").description("permissions that hold for a time");
	grants
		.command("list", { isDefault: true })
		.description("what they cover, and until when")
		.addOption(json)
		.action((flags: { json?: boolean }) => perform(context, flags, listGrants));
	grants
		.command("revoke")
		.description("take a permission back")
		.argument("<approval>", "its id", (id: string) => checked(ApprovalId.safeParse(id), "an approval's id"))
		.addOption(json)
		.action((approvalId: ApprovalId, flags: { json?: boolean }) => perform(context, flags, (output) => revokeGrant(output, approvalId)));
}

function collect(value: string, before: string[]): string[] {
	return [...before, value];
}

function seconds(value: string): number {
	const number = Number(value);
	if (!(number > 0)) throw new InvalidArgumentError("It must be a number of seconds above 0.");
	return number;
}

function checked<T>(result: { success: true; data: T } | { success: false }, form: string): T {
	if (result.success) return result.data;
	throw new InvalidArgumentError(`It must be ${form}.`);
}
