import {
	claimChecker,
	deliverablePieces,
	type GroundingProblem,
	limits,
	namedFiles,
	type OwnProvider,
	omitUndefined,
	type RunEvidence,
} from "@xworkmate/contracts";
import type { RunEvent } from "../../ports/runs/run-event.ts";
import type { RunProvider } from "../../ports/runs/run-record.ts";
import type { Answerer, Conclusion } from "./conclude.ts";
import { markedActivity } from "./marked-activity.ts";
import type { RunState } from "./run-state.ts";

const MOST = limits.answerProblems;
/** The maximum number of UTF-16 units in a quoted sentence, and of files to look for. */
const SAID = 300;
const FILES = 500;

/**
 * The grounding of an agent's answer, if the answer claims something that nothing in its run supports. The text stays as it is, and an
 * answer without such a claim gets no event (docs/protocol.md#updates). `own`: set for the bridge's own providers, which are not checked
 * here: the assistant's answer is checked before it is shown, and a script's output is what its author wrote. A plan's message in the
 * answer is judged as one, as it is before it is sent. Pure.
 */
export function unverifiedClaims(
	state: RunState,
	{ own, isForPlan, provider, filesFound, edits }: Partial<Pick<Conclusion, keyof Answerer | "filesFound" | "edits">> = {},
): readonly RunEvent[] {
	const { answer, earlier, checked } = state;
	if (answer === undefined || checked !== undefined || own !== undefined) return [];
	const evidence = runEvidence({ ...state, ...omitUndefined({ filesFound, edits }) }, provider);
	const check = claimChecker(evidence);
	const problemsOf = isForPlan === true ? (text: string) => problemsOfPieces(text, check) : check;
	const ofAnswer = problemsOf(answer.text);
	// Earlier messages are checked too: an agent may claim something in one message, call a tool, and end with another message. Only the last
	// message is the answer.
	const before: GroundingProblem[] = [];
	for (const text of earlier.texts) {
		// The answer's sentences are marked in the text itself, so they have priority if there are too many problems.
		if (ofAnswer.length + before.length >= MOST) break;
		before.push(...problemsOf(text).map((problem) => saidEarlier(text, problem)));
	}
	const problems = [...before.slice(0, MOST - ofAnswer.length), ...ofAnswer];
	return problems.length === 0 ? [] : [{ type: "answered", grounding: { state: "unverified", problems } }];
}

/** The problems in an answer to a plan's work: its work and its messages are judged separately. */
function problemsOfPieces(text: string, check: ReturnType<typeof claimChecker>): readonly GroundingProblem[] {
	const found: GroundingProblem[] = [];
	for (const { kind, from, to } of deliverablePieces(text)) {
		if (found.length >= MOST) break;
		const problems = check(text.slice(from, to), { isMessage: kind === "message" });
		found.push(...problems.map((problem) => ({ ...problem, start: from + problem.start, end: from + problem.end })));
	}
	return found.slice(0, MOST);
}

/** What a run left behind, as evidence for all that its agent says about it: in its answer, and in a message that is sent. Pure. */
export function runEvidence(state: RunState, provider: RunProvider | undefined): RunEvidence {
	const { artifacts, callFacts, permission, filesFound, edits } = state;
	return {
		activity: markedActivity(state, provider),
		delivered: { paths: artifacts.items.map(({ relativePath }) => relativePath), count: artifacts.count },
		found: filesFound && new Map(filesFound.states),
		seen: filesFound?.seen,
		deleted: edits?.files.flatMap(({ path, status }) => (status === "deleted" ? [path] : [])),
		permission,
		places: (toolCallId) => callFacts.get(toolCallId)?.paths,
	};
}

function saidEarlier(text: string, { start, end, ...problem }: GroundingProblem): GroundingProblem {
	return { ...problem, start: 0, end: 0, said: text.slice(start, end).trim().slice(0, SAID).toWellFormed() };
}

/**
 * The files that an agent on this machine claims to have made or removed, if the bridge can check whether they exist. Those that the answer
 * names come first if there are too many. Pure.
 */
export function claimedFiles(
	{ answer, earlier, checked }: RunState,
	{ target }: Pick<RunProvider, "target">,
	own: OwnProvider | undefined,
): readonly string[] {
	if (answer === undefined || checked !== undefined || target !== "agent" || own !== undefined) return [];
	return [...new Set([answer.text, ...earlier.texts].flatMap((text) => namedFiles(text)))].slice(0, FILES);
}
