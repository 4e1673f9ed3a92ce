import {
	ContactId,
	type DeliveryAction,
	type MethodParams,
	type Occurrence,
	OccurrenceId,
	type Plan,
	type PlanId,
	RequestId,
} from "@xworkmate/contracts";
import { hasArrived } from "@xworkmate/contracts/has-arrived";
import { isDropped } from "@xworkmate/contracts/is-dropped";
import { nanoid } from "nanoid";
import { pagesOf } from "../../api/pages-of.ts";
import { AppError } from "../../errors/app-error.ts";
import { hasCode } from "../../errors/has-code.ts";
import { commandLine } from "../../text/command-line.ts";
import { messageTexts, placesOf } from "../../text/plans/message-texts.ts";
import { openOccurrences } from "../../text/plans/open-messages.ts";
import { noRuns, planStateOf } from "../../text/plans/plan-runs.ts";
import { oneLine } from "../../text/printable.ts";
import type { ProgramContext } from "../parts/command-parts.ts";
import type { Output } from "../parts/output.ts";
import { print } from "../parts/print.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import { findNamed, findOccurrence, occurrenceOf } from "./find-occurrence.ts";
import { dueAt, firstPlan, occurrenceLines, planLine, planLines, type Reading, readNow } from "./plan-lines.ts";
import { askedStatus, isListed, type ListedState, stateWords } from "./plan-state.ts";
import { readFiles } from "./read-files.ts";
import { isUnsent, readResent } from "./read-resent.ts";
import { addressedWords } from "./recipient-words.ts";
import { reviewMessage } from "./review-command.ts";
import { runsNow, stillRunning, stillRunningLine } from "./still-running.ts";
import { unreadyChannels, unreadyLines } from "./unready-channels.ts";
import { watchOccurrence } from "./watch-command.ts";
import { severalMeant } from "./which-of-several.ts";

export interface ListFlags {
	readonly status?: ListedState;
	readonly needsReview?: true;
}

export async function listPlans(output: Output, { status: state, needsReview }: ListFlags): Promise<void> {
	const status = state && askedStatus(state);
	const query = { ...(status !== undefined && { status }), ...(needsReview && { needsReview }) };
	const found: Plan[] = [];
	for await (const page of pagesOf((after) => output.api.listPlans({ ...query, ...after }))) found.push(...page.items);
	const reading = await readAsked(output, found);
	const plans = found.filter((plan) => state === undefined || isListed(state, plan, reading));
	const isFiltered = state !== undefined || needsReview === true;
	const none = isFiltered ? ["No plans match."] : ["There are no plans.", firstPlan()];
	print(output, plans, plans.length === 0 ? none : plans.map((plan) => planLine(plan, reading)));
}

/** Prints a plan or one of its occurrences. */
export async function showPlan(output: Output, id: string): Promise<void> {
	const { plan, occurrenceId } = await findNamed(output.api, id);
	if (occurrenceId === undefined) {
		const reading = await readAsked(output, [plan]);
		const { planId, needsReview } = plan;
		const read = (cursor?: string) => output.api.planOccurrences({ planId, limit: 200, ...(cursor !== undefined && { cursor }) });
		// A message of a deleted plan that was handed over is still being sent.
		const mayBeOpen = needsReview > 0 || plan.status === "running" || plan.status === "paused" || plan.status === "deleted";
		const open = mayBeOpen ? (await openOccurrences(read)).items : [];
		const stopping = await stoppingElsewhere(output, plan, reading, open);
		// JSON is the plan as the bridge has it.
		const unready = output.json ? [] : unreadyLines(await unreadyChannels(output, plan));
		const files = output.json || plan.occurrence === undefined ? undefined : await readFiles(output.api, plan.occurrence);
		return print(output, plan, [
			...planLines(plan, { ...reading, ...(files && { files }) }, [...open, ...stopping]),
			...unready.map((line) => `  ${line}`),
		]);
	}
	const occurrence = await occurrenceOf(output.api, plan, occurrenceId);
	const resent = await readResent(output.api, occurrence);
	const texts = messageTexts(occurrence);
	const answer = texts.flatMap((one) => [
		one.isOnly ? "  The message:" : `  The message (${placesOf(one, texts, addressedWords)}):`,
		...indented(one.text),
	]);
	const reading = await readAsked(output, [plan], [occurrence]);
	const files = output.json ? undefined : await readFiles(output.api, occurrence);
	const here = { ...reading, resent, ...(files && { files }) };
	print(output, occurrence, [oneLine(plan.title, 200), ...occurrenceLines(occurrence, here), ...answer]);
}

export async function pausePlan(output: Output, planId: PlanId): Promise<void> {
	await sayPlan(
		output,
		await output.api.pausePlan({ planId }),
		`The plan won't become due until you resume it: ${commandLine(`plans resume ${planId}`)}`,
	);
}

export async function resumePlan(output: Output, planId: PlanId): Promise<void> {
	const before = await output.api.plan({ planId });
	const resumed = await output.api.resumePlan({ planId });
	const { nextDueAt, needsReview } = resumed;
	const done = before.status === "paused" ? "Resumed." : "The plan was not paused, so nothing has changed.";
	await sayPlan(
		output,
		resumed,
		nextDueAt === undefined ? `${done} The plan has no more due times.` : `${done} Next: ${dueAt(nextDueAt, readNow())}`,
		...(needsReview === 0 ? [] : [`Something in this plan needs you: ${commandLine(`plans show ${planId}`)}`]),
	);
}

export async function deletePlan(output: Output, planId: PlanId): Promise<void> {
	const before = await output.api.plan({ planId });
	if (before.status === "deleted") return sayPlan(output, before, "It was already deleted.");
	// The open occurrences are read before the deletion, because it ends them, except for messages that are being handed over.
	const read = (cursor?: string) => output.api.planOccurrences({ planId, limit: 200, ...(cursor !== undefined && { cursor }) });
	const open = (await openOccurrences(read)).items;
	const deleted = await output.api.deletePlan({ planId });
	// The deletion has cancelled the occurrences that were running.
	const cut = open.map((one): Occurrence => (one.status === "running" ? { ...one, status: "cancelled" } : one));
	const stopping = await stillRunning(output.api, cut);
	const left = open.filter(({ occurrenceId }) => stopping.has(occurrenceId)).map(stillRunningLine);
	await sayPlan(
		output,
		deleted,
		...left,
		...handedOver(open),
		"Messages that have not been handed over will not be sent. The plan's history is kept.",
	);
}

/**
 * Says how many messages are being handed over and may still arrive, and which command lists the deleted plan while an outcome is unknown.
 */
function handedOver(open: readonly Occurrence[]): readonly string[] {
	const leaving = open.flatMap(({ delivery }) => delivery.filter(({ status, stage }) => status === "sending" && stage !== "claimed"));
	const unknown = open.flatMap(({ delivery }) => delivery.filter(({ status }) => status === "unknown"));
	const leave =
		leaving.length === 1
			? "1 message is being sent and may still arrive."
			: `${leaving.length} messages are being sent and may still arrive.`;
	const ask = `To find the plan while the outcome of a message is unknown: ${commandLine("plans --needs-review")}`;
	return leaving.length + unknown.length === 0 ? [] : [...(leaving.length === 0 ? [] : [leave]), ask];
}

/** What is needed to print plans now, including which of their runs are waiting for the user and which are still active after a cancel. */
async function readAsked(output: Output, plans: readonly Plan[], occurrences: readonly Occurrence[] = []): Promise<Reading> {
	return { ...readNow(), runs: await runsNow(output, plans, occurrences) };
}

/**
 * The occurrences besides the newest whose work was cancelled but is still running. `open`: those that have not ended. The ids are read
 * from the names of active runs, so an id that the plan doesn't have is left out.
 */
async function stoppingElsewhere(
	output: Output,
	plan: Plan,
	{ runs }: Reading,
	open: readonly Occurrence[],
): Promise<readonly Occurrence[]> {
	const { stopping } = planStateOf(plan, runs ?? noRuns);
	const known = new Set<string | undefined>([plan.occurrence, ...open].map((one) => one?.occurrenceId));
	const ids = [...stopping].filter((id) => !known.has(id));
	const found = await Promise.all(ids.map((id) => occurrenceOf(output.api, plan, OccurrenceId.parse(id)).catch(ifNotFound)));
	return found.filter((one) => one !== undefined);
}

function ifNotFound(error: unknown): undefined {
	if (!hasCode(error, "NOT_FOUND")) throw error;
}

/** Makes a plan due now. With `wait`, follows it and exits with the code for how it ended. */
export async function runPlan(output: Output, planId: PlanId, wait: boolean, context: Pick<ProgramContext, "onLeave">): Promise<ExitCode> {
	const occurrence = await output.api.runPlan({ planId, requestId: RequestId.parse(`command-${nanoid()}`) });
	if (wait) return watchOccurrence(output, planId, occurrence, context);
	begun(output, occurrence);
	return exitCode.success;
}

export interface ResendFlags {
	readonly to?: string;
	readonly allowDuplicate?: true;
}

/** Resends the messages of an occurrence that were not sent, or a single message. */
export async function resendMessages(output: Output, id: string, given: ResendFlags): Promise<ExitCode> {
	const { to, allowDuplicate } = given;
	const find = (duplicate: boolean) =>
		findOccurrence(
			output.api,
			id,
			({ delivery }) =>
				some(delivery.filter((action) => isUnsent(action) || (duplicate && (action.status === "unknown" || hasArrived(action))))),
			{ words: "can be sent again", several: "have a message that can be sent again", command: "plans resend", flags: resendFlags(given) },
		);
	const { occurrence, actions, isOne } = await find(allowDuplicate === true).catch(async (error: unknown) => {
		if (!(error instanceof AppError) || error.code !== "NOTHING_WAITS" || allowDuplicate === true) throw error;
		const hasDuplicate = await find(true).then(
			() => true,
			(other) => !hasCode(other, "NOTHING_WAITS"),
		);
		if (!hasDuplicate) throw error;
		throw new AppError(
			error.code,
			error.message,
			`To resend messages that arrived, or may have arrived: ${commandLine(`plans resend ${id} ${resendFlags({ ...given, allowDuplicate: true })}`)}`,
		);
	});
	const meant = isOne ? actions : withoutName(occurrence, actions, given);
	const made = await output.api.resendMessages({
		...{ occurrenceId: occurrence.occurrenceId, actionIds: meant.map(({ actionId }) => actionId) },
		...{ requestId: RequestId.parse(`command-${nanoid()}`), ...recipientIn(to), ...(allowDuplicate && { allowDuplicate }) },
	});
	if (!made.delivery.some(({ status }) => status === "needs_review")) {
		begun(output, made);
		return exitCode.success;
	}
	// The new message is held for review, so the user sees what would be sent and decides.
	if (output.console.canAsk && !output.json) return reviewMessage(output, made.occurrenceId, {});
	print(output, made, occurrenceLines(made, readNow()));
	return exitCode.needsReview;
}

/**
 * The messages to send again if none is named: those that failed or, if none did, the one that was discarded or cancelled. If there are
 * none of these, all messages: with `--allow-duplicate`, messages that arrived or may have arrived are sent again.
 * @throws AppError SEVERAL_WAIT if none failed and several were discarded or cancelled
 */
function withoutName(occurrence: Occurrence, actions: readonly DeliveryAction[], given: ResendFlags): readonly DeliveryAction[] {
	const unsent = actions.filter(isUnsent);
	const failed = unsent.filter((action) => !isDropped(action));
	if (failed.length > 0) return failed;
	if (unsent.length > 1)
		throw severalMeant(occurrence, unsent, {
			what: "These messages were discarded or cancelled, so say which one to send",
			command: "plans resend",
			flags: resendFlags(given),
		});
	return unsent.length > 0 ? unsent : actions;
}

/** The flags as the user types them, because a suggested command without `--to` would send to the earlier recipient. */
function resendFlags({ to, allowDuplicate }: ResendFlags): string {
	return [...(to === undefined ? [] : [`--to ${to}`]), ...(allowDuplicate === true ? ["--allow-duplicate"] : [])].join(" ");
}

/** Without `--to`, each message goes to its earlier recipient again. */
function recipientIn(to: string | undefined): Pick<MethodParams<"xworkmate.plans.resend">, "recipient" | "toOwner"> {
	if (to === undefined) return {};
	return to.toLowerCase() === "me" ? { toOwner: true } : { recipient: ContactId.parse(to) };
}

function begun(output: Output, occurrence: Occurrence): void {
	const follow = `  Follow it: ${commandLine(`plans watch ${occurrence.occurrenceId}`)}`;
	print(output, occurrence, [...occurrenceLines(occurrence, readNow()), follow]);
}

/** Prints a plan and what a command did to it. */
export async function sayPlan(output: Output, plan: Plan, ...more: readonly string[]): Promise<void> {
	const line = `${oneLine(plan.title, 200)}  ${stateWords(plan, await readAsked(output, [plan]))}`;
	print(output, plan, [line, ...more.map((text) => `  ${text}`)]);
}

function some<T>(items: readonly T[]): readonly T[] | undefined {
	return items.length === 0 ? undefined : items;
}

function indented(text: string): readonly string[] {
	return text.split("\n").map((line) => `    ${oneLine(line, 2_000)}`);
}
