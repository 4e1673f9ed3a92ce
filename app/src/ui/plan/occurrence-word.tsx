import type { Occurrence } from "@xworkmate/contracts";
import { occurrenceStatusOf, occurrenceStatusWords, planStatusWords, shownCodeOf } from "../../strings/plans/plan-words.ts";
import { workStateWords } from "../../strings/plans/work-words.ts";
import { threadWords } from "../../strings/threads/thread-words.ts";
import { occurrenceTitle } from "../../text/plans/code-title.ts";
import { type RunsNow, runStateOf } from "../../text/plans/plan-runs.ts";
import { type Look, occurrenceLooks, planLooks, workLooks } from "../plans/plan-look.ts";
import { StateWord } from "../plans/state-word.tsx";
import { useRunsNow } from "../plans/use-runs-now.ts";

/** The state of an occurrence or, while a run of the occurrence is active, the state of that run. */
export function OccurrenceWord({ occurrence }: { readonly occurrence: Occurrence }) {
	return <StateWord {...occurrenceState(occurrence, useRunsNow())} />;
}

/** The look and the word for the state that `OccurrenceWord` shows. */
export function occurrenceState(occurrence: Occurrence, now: RunsNow): { readonly look: Look; readonly word: string } {
	const run = runStateOf(occurrence, now);
	if (run === "asks") return { look: planLooks.asks, word: planStatusWords.asks };
	if (run === "stopping") return { look: occurrenceLooks.running, word: threadWords.run.stopAsked };
	if (run !== undefined) return { look: workLooks[run], word: workStateWords[run] };
	const code = shownCodeOf(occurrence);
	const status = occurrenceStatusOf(occurrence);
	const isPlain = code === undefined || occurrence.status === "needs_review";
	return { look: occurrenceLooks[status], word: isPlain ? occurrenceStatusWords[status] : occurrenceTitle(code, occurrence) };
}
