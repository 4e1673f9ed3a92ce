import { ContactId, PlanId, ProviderId, ThreadId } from "@xworkmate/contracts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type Act, checked, hashDigits, json, modelName, type ProgramContext, perform } from "../parts/command-parts.ts";
import { addRemoval } from "../parts/confirm.ts";
import type { Output } from "../parts/output.ts";
import { planRemoval } from "../parts/removals.ts";
import { cancelPlan } from "./cancel-command.ts";
import { type CreateFlags, createPlan, dueTimeNote, newPlan } from "./create-plan.ts";
import { planCancelling } from "./plan-cancelling.ts";
import {
	deletePlan,
	type ListFlags,
	listPlans,
	pausePlan,
	type ResendFlags,
	resendMessages,
	resumePlan,
	runPlan,
	showPlan,
} from "./plan-commands.ts";
import { listedState, listedStatesHelp } from "./plan-state.ts";
import { type ReviewFlags, reviewMessage } from "./review-command.ts";
import { outcomeOf, type SettleFlags, settleMessage } from "./settle-command.ts";
import { watch } from "./watch-command.ts";
import { createFromWords, refuseOwnWords } from "./words-command.ts";

interface JsonFlag {
	readonly json?: boolean;
}

const planId = (id: string) => checked(PlanId.safeParse(id), "the id of a plan");
/** The id of a plan, of an occurrence (`<plan>-<n>`), or of one of its messages (`<plan>-<n>-<n>`). */
const anyId = (id: string) => checked(PlanId.safeParse(id), "the id of a plan, of one of its due times, or of a message") as string;

/** `xworkmate plans ...` */
export function addPlans(program: Command, context: ProgramContext): void {
	const plans = program.command("plans").description("Create plans, see what they did, and review their messages");
	plans
		.command("list", { isDefault: true })
		.description("List plans, newest first")
		.option("--status <status>", listedStatesHelp, listedState)
		.option("--needs-review", "Only plans that need you: for a review, or because an outcome is unknown")
		.addOption(json)
		.action(({ json: isJson, ...flags }: ListFlags & JsonFlag) =>
			perform(context, { ...(isJson === true && { json: true }) }, (output) => listPlans(output, flags)),
		);
	addCreate(plans, context);
	addById(plans, context, "show", "Show a plan, or one of its due times", showPlan);
	plans
		.command("watch")
		.description("Follow a plan, or one of its due times, until it ends or needs your review")
		.argument("[id]", "A plan, or one of its due times; by default, the newest plan", anyId)
		.addOption(json)
		.action((id: string | undefined, flags: JsonFlag) => perform(context, flags, (output) => watch(output, id, context)));
	addDecisions(plans, context);
	plans
		.command("run")
		.description("Run a plan now, in addition to its schedule")
		.argument("<plan>", "The plan's id", planId)
		.option("--wait", "Wait until it ends or needs your review; the exit code says which, and how it ended")
		.addOption(json)
		.action((id: PlanId, { wait, ...flags }: { wait?: boolean } & JsonFlag) =>
			perform(context, flags, (output) => runPlan(output, id, wait === true, context)),
		);
	addOfPlan(plans, context, "pause", "Pause a plan's schedule", pausePlan);
	addOfPlan(plans, context, "resume", "Resume a plan's schedule from now", resumePlan);
	const cancel = plans
		.command("cancel")
		.description("Cancel a plan's unfinished work and unsent messages; asks first if there are any")
		.argument("<id>", "A plan, or one of its due times", anyId);
	addRemoval(cancel, context, planCancelling, cancelPlan);
	const remove = plans
		.command("delete")
		.description("End a plan and take it off the list; asks first, and keeps its history")
		.argument("<plan>", "The plan's id", planId);
	addRemoval(remove, context, planRemoval, deletePlan);
}

function addCreate(plans: Command, context: ProgramContext): void {
	plans
		.command("create")
		.description("Create a plan: what to do, when, and where the result goes; from a sentence or from flags")
		.argument("[sentence...]", 'A sentence such as "Every weekday at 9 email me the news"; you see the plan before it is created')
		.option("--yes", "Create the plan without asking, unless the sentence leaves something open")
		.option("--thread <id>", "The thread for the plan's runs", (id: string) => checked(ThreadId.safeParse(id), "the id of a thread"))
		.option("--title <title>", "Title of the plan; by default, the beginning of its text")
		.addOption(new Option("--in <span>", "Run it once after this delay, such as 1m or 2h").conflicts(["at", "cron"]))
		.addOption(new Option("--at <time>", 'Run it once at this time, such as 09:00 or "2026-12-01 09:00"').conflicts(["in", "cron"]))
		.addOption(new Option("--cron <fields>", 'Run it on this schedule, such as "0 9 * * 1-5"').conflicts(["in", "at"]))
		.option("--timezone <zone>", "Time zone of these times, such as Asia/Bangkok; by default, this computer's")
		.option("--email <to>", "Send the message as an email: me, or the id of a contact; repeat for more", repeated)
		.option("--whatsapp <to>", "Send the message on WhatsApp: me, or the id of a contact; repeat for more", repeated)
		.option("--discord <to>", "Send the message on Discord: me, or the id of a contact; repeat for more", repeated)
		.option("--dashboard", "Put the message in the inbox")
		.option("--content <text>", "The complete message, so that no agent is needed; - reads it from standard input")
		.option("--subject <text>", "The email's subject; by default, the title")
		.option("--attach", "Attach the files of the run, except in the inbox")
		.option("--instructions <text>", "Instructions for the agent; - reads them from standard input")
		.option("--work <text>", "Something for an agent to research or write; repeat for more", repeated)
		.option("--agent <id>", "Agent to use", (id: string) => checked(ProviderId.safeParse(id), "the id of an agent"))
		.option("--model <model>", "Model to use", modelName)
		.addOption(
			new Option("--target <target>", "Where to run it: an agent on the bridge's computer, or the OpenClaw gateway").choices([
				"agent",
				"gateway",
			]),
		)
		.option("--cwd <dir>", "Project folder to work in: a folder that the settings allow, or one inside it")
		.option("--quiet", "If the agent declines to write a message, send nothing and don't ask for a review")
		.option("--continue", "Continue the conversation of the previous run")
		.addOption(new Option("--overlap <rule>", "What to do if the previous run has not finished").choices(["skip", "queue"]))
		.addOption(json)
		.action(async (sentence: readonly string[], { json: isJson, yes, ...flags }: CreateFlags & JsonFlag & { readonly yes?: boolean }) => {
			const text = sentence.join(" ").trim();
			if (text !== "") {
				refuseOwnWords(flags);
				const given = { ...flags, ...(yes === true && { yes }) };
				return perform(context, { ...(isJson === true && { json: true }) }, (output) => createFromWords(output, text, given));
			}
			// Created before an app is needed, so that a repeat has the same id and does not create a second plan.
			const plan = await newPlan(flags);
			await perform(context, { ...(isJson === true && { json: true }) }, (output) => createPlan(output, plan, dueTimeNote(flags)));
		});
}

function addDecisions(plans: Command, context: ProgramContext): void {
	const decision = (flags: string, description: string, others: readonly string[]) => new Option(flags, description).conflicts([...others]);
	plans
		.command("review")
		.description("Show exactly what would be sent, and decide: send, edit, run again or discard")
		.argument("<id>", "A plan, one of its due times, or a message", anyId)
		.addOption(decision("--send", "Send the message; --payload confirms which version you reviewed", ["edit", "rerun", "discard"]))
		.addOption(
			decision("--edit <file>", "Send the text of this file instead; - reads it from standard input", ["send", "rerun", "discard"]),
		)
		.addOption(decision("--rerun", "Run the work again", ["send", "edit", "discard"]))
		.addOption(decision("--discard", "Do not send the message", ["send", "edit", "rerun"]))
		.option("--all", "With --discard: discard all waiting messages of the due time, if there are several")
		.option("--payload <hash>", "The hash shown by the review, or at least its first 12 digits", hashDigits)
		.option("--html", "Also print the HTML of an email")
		.addOption(json)
		.action((id: string, { json: isJson, ...flags }: ReviewFlags & JsonFlag) =>
			perform(context, { ...(isJson === true && { json: true }) }, (output) => reviewMessage(output, id, flags)),
		);
	plans
		.command("settle")
		.description("Record whether a message with an unknown outcome arrived; this is final")
		.argument("<id>", "A plan, one of its due times, or a message", anyId)
		.addOption(decision("--sent", "Record that the message arrived", ["notSent"]))
		.addOption(decision("--not-sent", "Record that the message did not arrive", ["sent"]))
		.addOption(json)
		.action((id: string, { json: isJson, ...flags }: SettleFlags & JsonFlag) => {
			const outcome = outcomeOf(id, flags);
			return perform(context, { ...(isJson === true && { json: true }) }, (output) => settleMessage(output, id, outcome));
		});
	plans
		.command("resend")
		.description(
			"Send the messages that were not sent, with the same text; one that was discarded or cancelled is included only if you name it",
		)
		.argument("<id>", "A plan, one of its due times, or a message", anyId)
		.option("--to <contact>", "A contact, or me, to send to instead of the earlier recipient", recipientId)
		.option(
			"--allow-duplicate",
			"Send even messages that arrived, or may have; if others were not sent, this applies only to a message that you name by its id",
		)
		.addOption(json)
		.action((id: string, { json: isJson, ...flags }: ResendFlags & JsonFlag) =>
			perform(context, { ...(isJson === true && { json: true }) }, (output) => resendMessages(output, id, flags)),
		);
}

function addById(
	plans: Command,
	context: ProgramContext,
	name: string,
	about: string,
	act: (output: Output, id: string) => ReturnType<Act>,
): void {
	plans
		.command(name)
		.description(about)
		.argument("<id>", "A plan, or one of its due times", anyId)
		.addOption(json)
		.action((id: string, flags: JsonFlag) => perform(context, flags, (output) => act(output, id)));
}

function addOfPlan(
	plans: Command,
	context: ProgramContext,
	name: string,
	about: string,
	act: (output: Output, id: PlanId) => ReturnType<Act>,
): void {
	plans
		.command(name)
		.description(about)
		.argument("<plan>", "The plan's id", planId)
		.addOption(json)
		.action((id: PlanId, flags: JsonFlag) => perform(context, flags, (output) => act(output, id)));
}

function recipientId(to: string): string {
	return to.toLowerCase() === "me" ? to : checked(ContactId.safeParse(to), "me, or the id of a contact");
}

function repeated(value: string, before: readonly string[] = []): readonly string[] {
	if (value.trim() === "") throw new InvalidArgumentError("It must not be empty.");
	return [...before, value];
}
