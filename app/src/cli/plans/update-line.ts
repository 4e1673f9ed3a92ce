import type { PlanUpdate } from "@xworkmate/contracts";
import {
	occurrenceStatusOf,
	occurrenceStatusWords,
	planStatusWords,
	shownCodeOf,
	workEndOf,
	workEndWords,
} from "../../strings/plans/plan-words.ts";
import { restoredWords } from "../../strings/plans/restored-words.ts";
import { afterAllWords } from "../../text/plans/after-all.ts";
import { gateTitle, occurrenceTitle, skippedWhy } from "../../text/plans/code-title.ts";
import { noRuns, runStateOf } from "../../text/plans/plan-runs.ts";
import { oneLine } from "../../text/printable.ts";
import { timeWords } from "../../text/zoned-time.ts";
import { actionLine, at, notBegunWhy, type Reading } from "./plan-lines.ts";
import { runWord } from "./plan-state.ts";

/** One line about something that happened to a plan; undefined if it is not shown. */
export function updateLine({ update, status, at: when }: PlanUpdate, reading: Reading): string | undefined {
	const said = wordsOf(update, status, reading);
	return said === undefined ? undefined : `${timeWords(Date.parse(when), reading.now, reading.zone)}  ${said}`;
}

/** `planStatus`: the plan's after the update. The plan in it has only what is set on it, such as a pause, so it may say "Scheduled" when over. */
function wordsOf(update: PlanUpdate["update"], planStatus: PlanUpdate["status"], reading: Reading): string | undefined {
	switch (update.kind) {
		case "task:created":
			return `Created: ${oneLine(update.plan.title, 200)}`;
		case "task:changed":
			return update.plan.status === "paused" && update.plan.pausedFor !== undefined
				? `Changed: ${restoredWords.paused}`
				: `Changed: ${planStatusWords[planStatus]}`;
		case "task:occurrence": {
			const { occurrence, runId } = update;
			const code = shownCodeOf(occurrence);
			const run = runStateOf(occurrence, noRuns);
			const status = runWord(run) ?? occurrenceStatusWords[occurrenceStatusOf(occurrence)];
			const state = code === undefined ? status : occurrenceTitle(code, occurrence);
			const why = skippedWhy(occurrence) ?? notBegunWhy(occurrence, run, reading);
			return `${state}: due ${at(occurrence.dueAt, reading)}${runId === undefined ? "" : `, run ${runId}`}${why === undefined ? "" : `. ${why}`}`;
		}
		case "task:result": {
			const { gate } = update;
			const refusal = gate?.valid === false ? `. ${gateTitle(gate.reason)}` : "";
			return `${workEndWords[workEndOf(update.occurrence)]}${refusal}`;
		}
		case "task:review":
		case "task:delivery":
		case "task:delivery_complete": {
			const { action } = update;
			if (action === undefined) return occurrenceStatusWords[update.occurrence.status];
			const why = action.code === undefined || afterAllWords(action, reading.now) !== undefined ? "" : ` (${action.code})`;
			return `${actionLine(action, reading)}${why}`;
		}
		case "receipt":
			return undefined;
	}
}
