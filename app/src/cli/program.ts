import tab from "@bomb.sh/tab/commander";
import { ApprovalId, AuthProfileId, PolicyDecision, ProviderId, RequiredArtifact, ThreadId, ToolId } from "@xworkmate/contracts";
import { Command, InvalidArgumentError, Option } from "commander";
import { LISTED_RUNS } from "../api/app-api.ts";
import { commandLine } from "../text/command-line.ts";
import { addAccounts } from "./agents/account-program.ts";
import { addAgents } from "./agents/agent-program.ts";
import { addBackground, addBackup, addService } from "./app/home-program.ts";
import { addConfig } from "./config/config-program.ts";
import { addHelp, addHelpHints } from "./help-command.ts";
import { checked, json, modelName, type ProgramContext, perform, wholeNumber } from "./parts/command-parts.ts";
import { addChannels, addContacts } from "./plans/channel-program.ts";
import { addPlans } from "./plans/plan-program.ts";
import { addReceipts } from "./receipts/receipt-program.ts";
import { cancelTask } from "./threads/cancel-task.ts";
import { addChanges } from "./threads/change-program.ts";
import { listTasks, type TaskFilter } from "./threads/list-tasks.ts";
import { runCommand } from "./threads/run-command.ts";
import type { RunFlags } from "./threads/run-request.ts";
import { decideApproval, listApprovals, listGrants, revokeGrant, showApproval } from "./threads/thread-commands.ts";
import { addThreads } from "./threads/thread-program.ts";
import { addTools } from "./tools/tool-program.ts";
import { addExamples } from "./words/command-examples.ts";

export type { ProgramContext } from "./parts/command-parts.ts";

/** The `xworkmate` command (docs/protocol.md#the-command). */
export function createProgram(context: ProgramContext): Command {
	const program = new Command(commandLine("").trim())
		.description("One bridge in front of every agent, one folder per thread, nothing called done without evidence.")
		.version(context.version, "-V, --version", "Print the version")
		.helpOption("-h, --help", "Show help")
		.configureOutput({ outputError: (text, write) => write(text.replace(/^error: command-argument value /, "error: the value ")) })
		.exitOverride();
	addProcesses(program, context);
	addRun(program, context);
	addThreads(program, context);
	addChanges(program, context);
	addTasks(program, context);
	addApprovals(program, context);
	addGrants(program, context);
	addReceipts(program, context);
	addTools(program, context);
	addAgents(program, context);
	addAccounts(program, context);
	addPlans(program, context);
	addChannels(program, context);
	addContacts(program, context);
	addConfig(program, context);
	addService(program, context);
	addBackup(program, context);
	// A shell completes a command by its name. In a checkout, that name is `npm`, so only an installed `xworkmate` has completion.
	if (program.name() === "xworkmate") tab(program, { completionCommandName: "completion" });
	for (const group of [program, ...program.commands.filter(({ commands }) => commands.length > 0)]) addHelp(group);
	addExamples(program);
	addHelpHints(program);
	return program;
}

function addProcesses(program: Command, context: ProgramContext): void {
	program
		.command("start")
		.description("Run XWorkmate (the bridge and the app) until you press Ctrl+C")
		.option("--open", "Open the page in the browser")
		.option("--window", "Open the page in its own window if this system has a web view, otherwise in the browser")
		.addOption(new Option("--service", "Run as a service (used by the system's service manager)").hideHelp())
		.action(async ({ open, window, service }: { open?: boolean; window?: boolean; service?: boolean }) =>
			context.done(
				await context.start(window === true ? "window" : open === true ? "browser" : undefined, service === true ? "service" : "terminal"),
			),
		);
	addBackground(program, context);
	program
		.command("bridge")
		.description("Run only the bridge")
		.argument("[settings...]", "Flags for the bridge, after --")
		.action(async (args: string[]) => context.done(await context.bridge(args)));
	program
		.command("doctor")
		.description("Show what works on this computer, and how to fix what doesn't")
		.option("--verify", "Also read all stored data and compare it with its records")
		.addOption(json)
		.action(async ({ json = false, verify = false }: { json?: boolean; verify?: boolean }) =>
			context.done(await context.doctor({ json, verify })),
		);
	program
		.command("logs")
		.description("Print the bridge's log")
		.option("-f, --follow", "Keep printing new lines")
		.action(async (flags: { follow?: boolean }) => context.done(await context.logs(flags.follow === true)));
}

function addRun(program: Command, context: ProgramContext): void {
	program
		.command("run")
		.description("Send a message and wait until the run has finished")
		.argument("<prompt>", "The message, or - to read it from standard input")
		.option(
			"--thread <id>",
			"Continue this thread, with its agent and in the project folder or worktree of its last message",
			(id: string) => checked(ThreadId.safeParse(id), "the id of a thread"),
		)
		.addOption(
			new Option(
				"--target <target>",
				"Where to run it: an agent on the bridge's computer (the default, unless a thread is continued), or the OpenClaw gateway",
			).choices(["agent", "gateway"]),
		)
		.option("--provider <id>", "Agent to use", (id: string) => checked(ProviderId.safeParse(id), "the id of an agent"))
		.option("--model <model>", "Model to use", modelName)
		.option("--cwd <dir>", "Project folder to work in: a folder that the settings allow, or one inside it")
		.option("--no-cwd", "Don't continue in the project folder or worktree of the thread's last message")
		.option("--worktree", "Work in the thread's own git worktree, and leave the folder itself (--cwd, or the current one) unchanged")
		.option(
			"--require <glob>",
			"A file that the run must produce; repeat for more",
			repeated("a path or a pattern inside the thread's folder", isRequirable),
		)
		.option("--require-any", "The run must produce at least one file")
		.option("--attach <file>", "A file to attach; repeat for more", repeated("the path of a file"))
		.addOption(new Option("--approve <mode>", "How to answer requests for approval").choices(["ask", "all", "none"]).default("ask"))
		.option("--tool-policy <rule>", "A rule for one tool in this run, such as calendar.events.delete=deny; repeat for more", toolRule)
		.option("--auth-profile <account>", "Use this account only", (id: string) =>
			checked(AuthProfileId.safeParse(id), "the name of an account, such as anthropic:manual"),
		)
		.option("--unattended", "Deny every request that would need your answer")
		.option("--timeout <seconds>", "Stop the run after this many seconds", seconds)
		// With `--detach`, the command exits, so it can neither answer requests nor stop the run.
		.addOption(new Option("--detach", "Send the message and return at once").conflicts(["approve", "timeout"]))
		.addOption(json)
		.action(async (prompt: string, given: Partial<Pick<RunFlags, "require" | "attach">> & Omit<RunFlags, "require" | "attach">) => {
			const flags = { require: [], attach: [], ...given };
			const { console, onInterrupt } = context;
			const withApp: ProgramContext["withApp"] = (use) => context.withApp(use);
			context.done(await runCommand({ console, onInterrupt, withApp }, prompt, flags));
		});
}

function addTasks(program: Command, context: ProgramContext): void {
	program
		.command("tasks")
		.description("List runs, newest first")
		.option("--thread <id>", "Only runs of this thread", (id: string) => checked(ThreadId.safeParse(id), "the id of a thread"))
		.option("--limit <count>", "Maximum number of runs to list", (count: string) => wholeNumber(count, LISTED_RUNS))
		.addOption(json)
		.action((flags: TaskFilter & { json?: boolean }) => perform(context, flags, (output) => listTasks(output, flags)));
	program
		.command("cancel")
		.description("Stop a run, or the active run of a thread; messages queued behind it are put on hold")
		.argument("<id>", "The id of a run or a thread", (id: string) => checked(ThreadId.safeParse(id), "the id of a run or a thread"))
		.action((id: ThreadId) => perform(context, {}, (output) => cancelTask(output, id)));
}

function addApprovals(program: Command, context: ProgramContext): void {
	const approvals = program.command("approvals").description("List requests for approval, and answer them");
	approvals
		.command("list", { isDefault: true })
		.description("List the requests that are waiting for you")
		.addOption(json)
		.action((flags: { json?: boolean }) => perform(context, flags, listApprovals));
	const requestId = (id: string) => checked(ApprovalId.safeParse(id), "the id of a request");
	approvals
		.command("show")
		.description("Show a request with the whole input of its call")
		.argument("<approval>", "The request's id", requestId)
		.addOption(json)
		.action((approvalId: ApprovalId, flags: { json?: boolean }) => perform(context, flags, (output) => showApproval(output, approvalId)));
	approvals
		.command("revoke")
		.description("Revoke a permission")
		.argument("<approval>", "The id of the permission", requestId)
		.addOption(json)
		.action((approvalId: ApprovalId, flags: { json?: boolean }) => perform(context, flags, (output) => revokeGrant(output, approvalId)));
	const verbs = [
		["allow", "allow_once", "Allow a request once"],
		[
			"allow-window",
			"allow_window",
			"Grant the temporary permission that a request offers; the list shows what it covers and for how long",
		],
		["deny", "deny", "Deny a request"],
	] as const;
	for (const [name, decision, description] of verbs) {
		approvals
			.command(name)
			.description(description)
			.argument("<approval>", "The request's id", requestId)
			.addOption(json)
			.action((approvalId: ApprovalId, flags: { json?: boolean }) =>
				perform(context, flags, (output) => decideApproval(output, approvalId, decision)),
			);
	}
}

function addGrants(program: Command, context: ProgramContext): void {
	const grants = program.command("grants").description("See and revoke temporary permissions");
	grants
		.command("list", { isDefault: true })
		.description("List what each permission covers and until when")
		.addOption(json)
		.action((flags: { json?: boolean }) => perform(context, flags, listGrants));
	grants
		.command("revoke")
		.description("Revoke a permission")
		.argument("<approval>", "The id of the permission", (id: string) => checked(ApprovalId.safeParse(id), "the id of a permission"))
		.addOption(json)
		.action((approvalId: ApprovalId, flags: { json?: boolean }) => perform(context, flags, (output) => revokeGrant(output, approvalId)));
}

/** Collects the values of an option that may be given several times. */
function repeated(form: string, isValid = (_value: string) => true): (value: string, before?: readonly string[]) => readonly string[] {
	return (value, before = []) => {
		if (value.trim() === "" || !isValid(value)) throw new InvalidArgumentError(`It must be ${form}.`);
		return [...before, value];
	};
}

/** Collects rules for tools. Two rules for the same tool are an error, because it would be unclear which of them applies. */
function toolRule(value: string, before: RunFlags["toolPolicy"] = {}): RunFlags["toolPolicy"] {
	const [name = "", ...rest] = value.split("=");
	const form = "a tool's id followed by =allow, =ask or =deny";
	const toolId = checked(ToolId.safeParse(name), form);
	const decision = checked(PolicyDecision.safeParse(rest.join("=")), form);
	if (Object.hasOwn(before, toolId)) throw new InvalidArgumentError(`There are two rules for ${toolId}.`);
	return { ...before, [toolId]: decision };
}

const isRequirable = (glob: string) => RequiredArtifact.safeParse({ glob }).success;

function seconds(value: string): number {
	const number = Number(value);
	if (!(number > 0)) throw new InvalidArgumentError("It must be a number of seconds greater than 0.");
	return number;
}
