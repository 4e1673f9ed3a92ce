import type {
	Deliverable,
	DeliveryAction,
	Grounding,
	LintFinding,
	Occurrence,
	PlanRun,
	ProviderCapability,
	RunEvidence,
	RunId,
	Snapshot,
	TerminalStatus,
} from "@xworkmate/contracts";
import { checkAgentClaims, isUndone, isUntrue, omitUndefined } from "@xworkmate/contracts";
import type { DeliveryChannel } from "../../ports/channels/channel.ts";
import type { RunResults } from "../../ports/runs/run-results.ts";
import type { RunLog, RunService } from "../../ports/runs/run-service.ts";
import type { WorkResult } from "../domain/decide-occurrence.ts";
import { goesWithFiles } from "../domain/goes-with-files.ts";
import { sha256Of } from "../domain/sha256.ts";
import { gateOf } from "../text/gate.ts";
import { joinedEvidence } from "./joined-evidence.ts";
import { deliverableForm, ifFound } from "./plan-turn.ts";
import { returnedValue, wholeAnswer } from "./whole-answer.ts";

export interface ResultParts {
	readonly results: RunResults;
	readonly runs: Pick<RunService, "evidence">;
	readonly log: Pick<RunLog, "readTexts">;
	readonly channels: ReadonlyMap<DeliveryAction["channel"], DeliveryChannel>;
	readonly providers: () => Promise<readonly ProviderCapability[]>;
}

/** A run that has ended. */
export type EndedRun = Snapshot & { readonly status: TerminalStatus };

/** The result of a run: the gate's decision about its whole answer, and what the channels object to. */
export async function workResult(parts: ResultParts, { delivery, runs }: Occurrence, run: EndedRun): Promise<WorkResult> {
	const { status, code, output } = run;
	const message = run.message?.slice(0, 2_000);
	const base: WorkResult = {
		run: { status, ...omitUndefined({ code, message }) },
		output: output?.text ?? "",
		...omitUndefined({ doubt: status === "completed" ? doubtOf(run) : undefined }),
	};
	const hasDelivery = delivery.length > 0;
	if (!hasDelivery || (status !== "completed" && code !== "REFUSED")) return base;
	const structured = (await deliverableForm(parts.providers, run.provider.providerId)) === "structured";
	const answer = await answerOf(parts, run.runId, structured);
	if (answer === undefined) return { ...base, gate: { valid: false, reason: "too_large", words: "The answer is too long to be checked." } };
	const { gate, deliverable: text } = gateOf(answer, { hasDelivery, structured, runCode: code });
	if (!gate.valid || text === undefined) return { ...base, gate };
	const deliverable: Deliverable = { text, sha256: sha256Of(text), source: "model" };
	const grounded = structured ? { grounding: run.grounding } : groundingOf(await evidenceOf(parts, run.runId, runs), delivery, text);
	return { ...base, gate, deliverable, findings: findingsOf(parts, delivery, text), ...omitUndefined(grounded) };
}

/** What the work left behind: the run and, if it was only asked to write another run's message again, that run. */
async function evidenceOf({ runs }: ResultParts, runId: RunId, of: readonly PlanRun[]): Promise<RunEvidence> {
	const rewritten = of.at(-1)?.rewrites;
	const own = await runs.evidence(runId);
	const earlier = rewritten === undefined ? undefined : await ifFound(runs.evidence(rewritten));
	return earlier === undefined ? own : joinedEvidence(earlier, own);
}

/**
 * The claims in a message that something was done although no record of the run backs this, or that files are attached although they are
 * not sent with it. The same text may go to several recipients, and to some of them with the files. The agent's text around the message is not checked, because it is not sent. Not called for
 * the assistant, which has checked its own answer, or for a script, whose text is its author's.
 */
function groundingOf(
	evidence: RunEvidence,
	delivery: readonly DeliveryAction[],
	text: string,
): Pick<WorkResult, "grounding" | "isBackedByFiles"> {
	const { attached: delivered = evidence.delivered } = evidence;
	const check = (attached: RunEvidence["delivered"]): Grounding | undefined => {
		const problems = checkAgentClaims(text, { ...evidence, attached }, { isMessage: true });
		return problems.length === 0 ? undefined : { state: "unverified", problems: [...problems] };
	};
	const written = delivery.filter(({ content }) => content === undefined);
	if (written.every(goesWithFiles)) return omitUndefined({ grounding: check(delivered) });
	const grounding = check({ paths: [], count: 0 });
	const isBackedByFiles = grounding !== undefined && written.some(goesWithFiles) && check(delivered) === undefined;
	return omitUndefined({ grounding, isBackedByFiles: isBackedByFiles || undefined });
}

/**
 * The evidence in a run's record against its success. Unbacked claims in the text around the message do not count, because that text is not
 * sent. A failed or denied call does not count either, because the run may not have depended on it.
 */
function doubtOf({ activity, grounding }: EndedRun): string | undefined {
	const items = activity?.items ?? [];
	const problems = grounding?.state === "unverified" ? grounding.problems : [];
	const reasons = new Set(problems.map(({ reason }) => reason));
	const isReportedDenied = items.some(({ unpermitted }) => unpermitted === "denied");
	const isFound = items.some(({ unpermitted }) => unpermitted === "found");
	// Checked first, because an earlier bridge recorded the reason `denied` for this case too, although the agent didn't report a denial.
	if (isFound && !isReportedDenied) return "A file was changed even though the edit was denied.";
	if (isReportedDenied || reasons.has("denied")) return "The agent reports doing something that was denied.";
	if (items.some(({ unpermitted }) => unpermitted === "another")) return "The agent reports something other than what was allowed.";
	if (items.some(({ unpermitted }) => unpermitted === "unanswered")) return "The agent reports acting without an answer.";
	if (problems.some(({ reason, lookedIn }) => reason === "no_file" && lookedIn === undefined))
		return "The answer says that a file was written or moved, but the file did not exist when the run ended.";
	if (reasons.has("no_file"))
		return "The answer says that a file was written or moved, but it wasn't found in the run's folders when the run ended.";
	if (reasons.has("still_there")) return "The answer says that a file was deleted, but the file was still there when the run ended.";
	if (reasons.has("not_allowed")) return "The answer says that you gave permission, but you gave none.";
	if (items.some(isUndone)) return "The agent reports an edit, a move or a deletion that did not happen.";
	if (items.some(isUntrue)) return "An edit that was allowed was not made as the agent reported it.";
	const isUnknown = items.some(({ origin, status }) => origin === "executed" && status === "unknown");
	return isUnknown ? "The outcome of some of the run's calls is unknown." : undefined;
}

/** The findings by actionId, only for messages that carry the deliverable. */
function findingsOf({ channels }: ResultParts, delivery: readonly DeliveryAction[], text: string): Record<string, readonly LintFinding[]> {
	const asked = delivery.filter(({ content }) => content === undefined);
	return Object.fromEntries(asked.map(({ actionId, channel }) => [actionId, channels.get(channel)?.lint(text) ?? []]));
}

function answerOf({ results, log }: ResultParts, runId: RunId, structured: boolean): Promise<string | undefined> {
	return structured ? returnedValue(log, runId) : wholeAnswer(results, runId);
}
