import {
	type DraftChoice,
	type DraftProblem,
	type MethodResult,
	NewPlan,
	omitUndefined,
	type PlanDraft,
	RequestId,
} from "@xworkmate/contracts";
import { nanoid } from "nanoid";
import { AppError } from "../../errors/app-error.ts";
import { WrongUsage } from "../../errors/wrong-usage.ts";
import { channelWords } from "../../strings/plans/plan-words.ts";
import { commandLine } from "../../text/command-line.ts";
import { oneLine, printable } from "../../text/printable.ts";
import { localZone } from "../../text/zoned-time.ts";
import { askKey } from "../parts/ask-user.ts";
import type { Output } from "../parts/output.ts";
import { print } from "../parts/print.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import { type CreateFlags, createPlan, planSettings } from "./create-plan.ts";
import { recipientWords } from "./recipient-words.ts";

/** Flags that set what is otherwise read from the sentence. */
const OWN_WORDS = [
	"title",
	"in",
	"at",
	"cron",
	"email",
	"whatsapp",
	"discord",
	"dashboard",
	"content",
	"subject",
	"attach",
	"instructions",
	"work",
] as const;
/** The maximum number of answers that have a key. */
const MAX_CHOICES = 9;

type Extracted = MethodResult<"xworkmate.plans.extract">;

/** @throws WrongUsage for a flag that sets what is read from the sentence */
export function refuseOwnWords(flags: CreateFlags): void {
	const own = OWN_WORDS.find((flag) => flags[flag] !== undefined);
	if (own === undefined) return;
	throw new WrongUsage(`--${own} can't be used with a sentence.`, `Leave out --${own} and say it in the sentence, or use only flags.`);
}

/**
 * Makes a plan from a sentence: shows what was understood, asks about what is still open, and creates nothing before a yes.
 * After a no, the exit code is that of a cancellation.
 * @throws AppError INVALID_INPUT if the sentence asks for nothing, if something is still open, or if the user did not answer
 */
export async function createFromWords(output: Output, text: string, flags: CreateFlags & { readonly yes?: boolean }): Promise<ExitCode> {
	const extracted = await output.api.extractPlan({ text, timezone: flags.timezone ?? localZone() });
	if (!extracted.shouldCreateTask || extracted.task === undefined)
		throw invalid(
			`No plan was created: ${printable(extracted.reason ?? "the sentence doesn't ask for anything.")}`,
			"Say what should be done, when, and where the result should go.",
		);
	const isAsked = output.console.canAsk && !output.json;
	const settled = isAsked && flags.yes !== true ? await answered(output, extracted.task, extracted.problems) : extracted.task;
	if (settled === undefined) throw notMade("The question was not answered.");
	const open = isAsked && flags.yes !== true ? [] : extracted.problems.filter(({ blocks }) => blocks);
	if (open.length > 0 || (flags.yes !== true && !isAsked)) {
		show(output, { ...extracted, task: settled });
		throw open[0] === undefined ? notMade("The plan was not confirmed.", "Add --yes.") : notMade(openWords(open[0]), fixOf(open[0]));
	}
	if (!output.json) show(output, { shouldCreateTask: true, task: settled, problems: extracted.problems.filter(({ blocks }) => !blocks) });
	const key = flags.yes === true ? "y" : await askKey("Create this plan? [y/n] ", ["y", "n"]);
	// The end of the input is no confirmation either.
	if (key !== "y") {
		output.console.line("No plan was created.");
		return exitCode.cancelled;
	}
	await createPlan(output, planOf(settled, text, flags));
	return exitCode.success;
}

/** The draft with each question answered; undefined if a question was not answered. */
async function answered(output: Output, draft: PlanDraft, problems: readonly DraftProblem[]): Promise<PlanDraft | undefined> {
	let task = draft;
	for (const problem of problems.filter(({ blocks }) => blocks)) {
		const choices = problem.choices.slice(0, MAX_CHOICES);
		output.console.line(printable(problem.question));
		for (const [index, { label }] of choices.entries()) output.console.line(`  ${index + 1}  ${oneLine(label, 200)}`);
		if (choices.length === 0) throw notMade(openWords(problem), fixOf(problem));
		const key = await askKey(`Which one? [1-${choices.length}, q to quit] `, [...choices.map((_, index) => `${index + 1}`), "q"]);
		const choice = choices[Number(key) - 1];
		if (choice === undefined) return undefined;
		task = withChoice(task, problem, choice);
	}
	return task;
}

/** The draft after one answer. */
function withChoice(draft: PlanDraft, { delivery: at }: Pick<DraftProblem, "delivery">, choice: DraftChoice): PlanDraft {
	const { delivery, scheduledFor } = choice;
	const messages = [...draft.delivery];
	if (delivery !== undefined) {
		// Keeps the recipient that an earlier answer chose, unless this answer changes the channel.
		const before = messages[at ?? messages.length];
		messages[at ?? messages.length] =
			before?.channel === delivery.channel ? { ...omitUndefined({ recipient: before.recipient }), ...delivery } : delivery;
	}
	const time = scheduledFor === undefined ? {} : { scheduledFor, scheduleWords: choice.label };
	return { ...draft, ...time, delivery: messages };
}

function planOf(task: PlanDraft, words: string, flags: CreateFlags): NewPlan {
	const { title, instructions, work, delivery, type, timezone, scheduledFor, cron } = task;
	return NewPlan.parse({
		requestId: RequestId.parse(`command-${nanoid()}`),
		...{ words, title, instructions, work, delivery, type, timezone },
		...omitUndefined({ scheduledFor, cron }),
		...planSettings(flags),
	});
}

function show(output: Output, extracted: Extracted): void {
	const { task, problems } = extracted;
	if (task === undefined) return;
	print(output, extracted, [
		`${oneLine(task.title, 200)}  not created yet`,
		`  ${printable(task.scheduleWords)}`,
		...task.work.map(({ description }) => `  Work: ${oneLine(description, 200)}`),
		...(task.instructions === "" ? [] : [`  Instructions: ${oneLine(task.instructions, 300)}`]),
		...task.delivery.map((message) => {
			const content = message.content === undefined ? "" : `: ${oneLine(message.content, 300)}`;
			return `  ${channelWords[message.channel]}${recipientWords(message)}${content}`;
		}),
		...problems.flatMap((problem) => [
			`  ${problem.blocks ? "?" : "Note:"} ${printable(problem.question)}`,
			...problem.choices.map(({ label }) => `      ${oneLine(label, 200)}`),
		]),
	]);
}

function openWords({ question }: DraftProblem): string {
	return `The sentence leaves something open: ${printable(question)}`;
}

function fixOf({ code, choices }: DraftProblem): string {
	const such = choices[0] === undefined ? "" : `, for example: ${oneLine(choices[0].label, 100)}`;
	if (code.startsWith("TIME")) return `Name the time in the sentence${such}`;
	if (code.startsWith("CHANNEL")) return `Name the channel in the sentence${such}`;
	if (code.startsWith("RECIPIENT")) return `Name the recipient in the sentence${such}. List the contacts: ${commandLine("contacts list")}`;
	return "Put the exact message in quotation marks, or say that an agent should write it.";
}

function notMade(message: string, fix = "Run the command again when you have the answer."): AppError {
	return invalid(`${message} No plan was created.`, fix);
}

function invalid(message: string, fix: string): AppError {
	return new AppError("INVALID_INPUT", message, fix);
}
