import type { Occurrence, PlanId, PlanUpdate } from "@xworkmate/contracts";
import { AppStoppedError } from "../../api/remote-app.ts";
import { AppError } from "../../errors/app-error.ts";
import { commandLine } from "../../text/command-line.ts";
import { openOccurrences } from "../../text/plans/open-messages.ts";
import type { ProgramContext } from "../parts/command-parts.ts";
import type { Output } from "../parts/output.ts";
import { print } from "../parts/print.ts";
import { type ExitCode, exitCode, exitCodeOfOccurrence } from "../words/exit-code.ts";
import { findNamed, occurrenceOf } from "./find-occurrence.ts";
import { firstPlan, occurrenceLines, othersWaitingLines, type Reading, readNow } from "./plan-lines.ts";
import { SaysAsking } from "./says-asking.ts";
import { runsNow } from "./still-running.ts";
import { updateLine } from "./update-line.ts";

type Leavable = Pick<ProgramContext, "onLeave">;

/** Follows a plan or one occurrence until nothing more will happen without the user. Without an id, follows the newest plan. */
export async function watch(output: Output, id: string | undefined, context: Leavable): Promise<ExitCode> {
	if (id === undefined) return watchPlan(output, await newestPlan(output), context);
	const { plan, occurrenceId } = await findNamed(output.api, id);
	if (occurrenceId === undefined) return watchPlan(output, plan.planId, context);
	return watchOccurrence(output, plan.planId, await occurrenceOf(output.api, plan, occurrenceId), context);
}

/**
 * Follows an occurrence to its end. Exits like a run with the same end, with 9 if the user has to review it or one of its messages, with 10
 * if a message's outcome is unknown, or with 6 if XWorkmate is stopped.
 */
export async function watchOccurrence(
	output: Output,
	planId: PlanId,
	{ occurrenceId }: Pick<Occurrence, "occurrenceId">,
	context: Leavable,
): Promise<ExitCode> {
	const show = shower(output);
	let last: Occurrence | undefined;
	for await (const update of updates(output, planId, occurrenceId, context)) {
		if (update === "stopped") return exitCode.interrupted;
		const occurrence = occurrenceIn(update);
		if (occurrence?.occurrenceId !== occurrenceId) continue;
		show(update);
		last = occurrence;
		if (exitCodeOfOccurrence(occurrence) !== undefined && (await isNewest(output, planId, occurrence))) break;
	}
	return ended(output, last);
}

/** Ctrl+C ends only the command, so the command prints what happens to the plan that it followed. */
function sayOnLeaving({ console }: Output, id: string, { onLeave }: Leavable): () => void {
	return onLeave(() => {
		console.note("No longer following the plan. Nothing was cancelled: the plan continues as long as XWorkmate is running.");
		console.note(`  Follow it again: ${commandLine(`plans watch ${id}`)}`);
		console.note(`  Cancel it: ${commandLine(`plans cancel ${id}`)}`);
	});
}

async function newestPlan({ api }: Output): Promise<PlanId> {
	const [newest] = (await api.listPlans({ limit: 1 })).items;
	if (newest !== undefined) return newest.planId;
	throw new AppError("INVALID_INPUT", "There are no plans to follow.", firstPlan());
}

async function watchPlan(output: Output, planId: PlanId, context: Leavable): Promise<ExitCode> {
	const show = shower(output);
	let last: Occurrence | undefined;
	let open: readonly Occurrence[] = [];
	for await (const update of updates(output, planId, planId, context)) {
		if (update === "stopped") return exitCode.interrupted;
		show(update);
		last = occurrenceIn(update) ?? last;
		if (goesOn(update)) continue;
		// The log is replayed from its beginning, so what it shows as waiting may have been decided since.
		const { lastSeq, status, needsReview } = await output.api.plan({ planId });
		if (update.seq < lastSeq) continue;
		// The status of a paused or deleted plan doesn't say whether its work and its messages have ended.
		open = needsReview > 0 || status === "paused" || status === "deleted" ? await readOpen(output, planId) : [];
		if (![...open, ...(last === undefined ? [] : [last])].some(isInProgress)) break;
	}
	return ended(output, last, open);
}

async function readOpen({ api }: Output, planId: PlanId): Promise<readonly Occurrence[]> {
	return (await openOccurrences((cursor) => api.planOccurrences({ planId, limit: 200, ...(cursor !== undefined && { cursor }) }))).items;
}

function isInProgress(occurrence: Occurrence): boolean {
	return exitCodeOfOccurrence(occurrence) === undefined;
}

/**
 * True if the occurrence is in its current state. The log is replayed from its beginning, so what it shows as waiting may have been decided
 * since.
 */
async function isNewest(output: Output, planId: PlanId, { occurrenceId, revision, status }: Occurrence): Promise<boolean> {
	const now = await occurrenceOf(output.api, await output.api.plan({ planId }), occurrenceId);
	return now.revision === revision && now.status === status;
}

function goesOn({ status }: Pick<PlanUpdate, "status">): boolean {
	return status === "running" || status === "pending";
}

/**
 * The updates of a plan; `stopped` if the user stops XWorkmate first. While they are being read, Ctrl+C prints how to follow `id`
 * again.
 */
async function* updates(output: Output, planId: PlanId, id: string, context: Leavable): AsyncGenerator<PlanUpdate | "stopped"> {
	const { api, console } = output;
	const release = sayOnLeaving(output, id, context);
	using asking = new SaysAsking(output);
	try {
		for await (const line of api.watchPlan({ planId })) {
			if (line.type === "update") {
				const occurrence = occurrenceIn(line.update);
				if (occurrence !== undefined && (id === planId || id === occurrence.occurrenceId)) asking.saw(occurrence);
				yield line.update;
			} else if (line.type === "connection_lost") console.note("· The bridge isn't responding. Asking again…");
			else console.note("· The bridge is responding again.");
		}
	} catch (error) {
		if (!(error instanceof AppStoppedError)) throw error;
		const ofPlans = error.endedBridge ? " Plans don't run while it is stopped." : "";
		console.note(`XWorkmate was stopped, so this command no longer follows the plan.${ofPlans}`);
		console.note(`  Follow it again, which starts XWorkmate: ${commandLine(`plans watch ${id}`)}`);
		yield "stopped";
	} finally {
		release();
	}
}

/** Prints updates, skipping repeated lines, because all steps of a hand-over have the same line. */
function shower({ console, json }: Output): (update: PlanUpdate) => void {
	let last: string | undefined;
	return (update) => {
		const line = json ? JSON.stringify(update) : updateLine(update, readNow());
		if (line !== undefined && line !== last) console.line(line);
		last = line ?? last;
	};
}

/**
 * Prints the occurrence that changed last and, of the plan's `open` occurrences, the others that wait for the user, which decide the exit
 * code too.
 */
async function ended(output: Output, occurrence: Occurrence | undefined, open: readonly Occurrence[] = []): Promise<ExitCode> {
	if (occurrence === undefined) return exitCode.success;
	const reading: Reading = { ...readNow(), runs: await runsNow(output, [], [occurrence]) };
	const others = open.filter(({ occurrenceId }) => occurrenceId !== occurrence.occurrenceId);
	if (!output.json) print(output, occurrence, ["", ...occurrenceLines(occurrence, reading), ...othersWaitingLines(others, reading)]);
	const codes = [occurrence, ...others].map(exitCodeOfOccurrence);
	return [exitCode.unknown, exitCode.needsReview].find((code) => codes.includes(code)) ?? codes[0] ?? exitCode.success;
}

function occurrenceIn({ update }: PlanUpdate): Occurrence | undefined {
	if ("occurrence" in update) return update.occurrence;
	return "plan" in update ? update.plan.occurrence : undefined;
}
