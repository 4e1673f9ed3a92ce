import type { Occurrence, OccurrenceId, PlanId, PlanUpdate } from "@xworkmate/contracts";
import { print } from "../print.ts";
import type { Output } from "../thread-commands.ts";
import { type ExitCode, exitCode, exitCodeOfOccurrence } from "../words/exit-code.ts";
import { findNamed, occurrenceOf } from "./find-occurrence.ts";
import { occurrenceLines, type Reading, readNow, updateLine } from "./plan-lines.ts";

/** Follows a plan, or one time that it was due, until nothing more happens without the user. */
export async function watch(output: Output, id: string): Promise<ExitCode> {
	const { plan, occurrenceId } = await findNamed(output.api, id);
	if (occurrenceId !== undefined) return watchOccurrence(output, plan.planId, await occurrenceOf(output.api, plan, occurrenceId));
	return watchPlan(output, plan.planId);
}

/** Follows one time to its end, and ends with how it ended: as a run does, or 9 for what waits for the user, 10 for what is unknown. */
export async function watchOccurrence(
	output: Output,
	planId: PlanId,
	{ occurrenceId }: Pick<Occurrence, "occurrenceId">,
): Promise<ExitCode> {
	let last: Occurrence | undefined;
	for await (const update of updates(output, planId)) {
		const occurrence = occurrenceIn(update);
		if (occurrence?.occurrenceId !== occurrenceId) continue;
		show(output, update);
		last = occurrence;
		if (exitCodeOfOccurrence(occurrence) !== undefined && (await isStill(output, planId, occurrenceId))) break;
	}
	return ended(output, last);
}

async function watchPlan(output: Output, planId: PlanId): Promise<ExitCode> {
	let last: Occurrence | undefined;
	for await (const update of updates(output, planId)) {
		show(output, update);
		last = occurrenceIn(update) ?? last;
		if (!goesOn(update) && !goesOn(await output.api.plan({ planId }))) break;
	}
	return ended(output, last);
}

/** The log is replayed from its beginning, and an occurrence that was in review may go on in it. */
async function isStill(output: Output, planId: PlanId, occurrenceId: OccurrenceId): Promise<boolean> {
	return exitCodeOfOccurrence(await occurrenceOf(output.api, await output.api.plan({ planId }), occurrenceId)) !== undefined;
}

function goesOn({ status }: Pick<PlanUpdate, "status">): boolean {
	return status === "running" || status === "pending";
}

async function* updates({ api, console }: Output, planId: PlanId): AsyncGenerator<PlanUpdate> {
	for await (const line of api.watchPlan({ planId })) {
		if (line.type === "update") yield line.update;
		else if (line.type === "connection_lost") console.note("· The bridge doesn't answer. It is asked again.");
		else console.note("· The bridge answers again.");
	}
}

function show({ console, json }: Output, update: PlanUpdate): void {
	const line = json ? JSON.stringify(update) : updateLine(update, readNow());
	if (line !== undefined) console.line(line);
}

function ended(output: Output, occurrence: Occurrence | undefined): ExitCode {
	if (occurrence === undefined) return exitCode.success;
	const reading: Reading = readNow();
	if (!output.json) print(output, occurrence, ["", ...occurrenceLines(occurrence, reading)]);
	return exitCodeOfOccurrence(occurrence) ?? exitCode.success;
}

function occurrenceIn({ update }: PlanUpdate): Occurrence | undefined {
	if ("occurrence" in update) return update.occurrence;
	return "plan" in update ? update.plan.occurrence : undefined;
}
