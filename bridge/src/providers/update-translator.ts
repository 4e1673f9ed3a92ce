import { isDeepStrictEqual } from "node:util";
import { moreSerious, omitUndefined, type Preview, type ToolCallId } from "@xworkmate/contracts";
import { isAsked, type JointRequests, noRequests, withDenial, withPermission, withRequest } from "../ports/runs/joint-requests.ts";
import type { ProviderUpdate } from "../ports/runs/run-event.ts";
import type { AgentUpdate, ToolCallChange } from "./agent-update.ts";
import { goesOn } from "./denied-call.ts";
import { DeniedCommands } from "./denied-commands.ts";
import { hasFinished, isOtherInput, type KnownTool, merge, sha256, swappedIn } from "./known-tool.ts";
import { askedChanges } from "./other-change.ts";
import { isOtherReport } from "./other-report.ts";
import { judgedMeanwhile, reportedInstead } from "./reported-meanwhile.ts";
import { markedDiff } from "./shown-change.ts";
import { SpokenMessages } from "./spoken-messages.ts";
import { allowedBy, questionAbout, type ToolQuestion } from "./tool-question.ts";

/** How many tool calls are remembered. If an older call is updated, it is treated as a new call. */
const REMEMBERED_TOOLS = 2_000;

type ToolCallUpdate = Extract<ProviderUpdate, { kind: "tool_call" }>;

/** A denied call whose files show its change or, with `onlyChanged`, only that they have changed. */
export interface MadeAnyway {
	readonly toolCallId: ToolCallId;
	/** The paths that the agent gave. */
	readonly paths: readonly string[];
	readonly onlyChanged?: true;
}

/** Translates one agent's updates of one turn into the run's updates: adds message ids, and turns tool calls into complete upserts. */
export class UpdateTranslator {
	readonly #tools = new Map<ToolCallId, KnownTool>();
	/** The questions about each call while one is open. A denial is `true` if the user gave it, `false` if a question was withdrawn. */
	readonly #asked = new Map<ToolCallId, JointRequests<boolean>>();
	/** Calls whose questions were all withdrawn, so that the agent was never allowed to make them. */
	readonly #unanswered = new Set<ToolCallId>();
	readonly #deniedCommands = new DeniedCommands();
	readonly #messages = new SpokenMessages();
	#ignored = 0;

	/** How many updates were ignored. */
	get ignored(): number {
		return this.#ignored;
	}

	translate(update: AgentUpdate): readonly ProviderUpdate[] {
		switch (update.kind) {
			case "message":
			case "thought":
				return this.#messages.take(update.kind, update.text, update.agentMessageId);
			case "tool":
				return this.tool(update.change);
			case "plan":
				return [{ kind: "plan", entries: update.entries }];
			case "usage":
				return [{ kind: "usage", ...update.usage }];
			case "notice":
				return [{ kind: "notice", ...update.notice }];
			case "ignored":
				this.#ignored++;
				return [];
		}
	}

	/**
	 * Returns the upsert of a tool call; empty if nothing changed, or if the call never ran. A new call ends the open message, so that later
	 * text starts a new one. `isQuestion`: the agent asks about the call, so a text is not output of the call.
	 */
	tool(change: ToolCallChange, isQuestion = false): readonly ProviderUpdate[] {
		const known = this.#tools.get(change.toolCallId);
		if (known === undefined) this.#messages.end();
		if (this.#neverRan(known, change)) return [];
		const merged = merge(known, change, this.#isAsked(change.toolCallId));
		const hasBegun = merged.state !== "pending" || (merged.allowed !== undefined && !this.#isAsked(change.toolCallId));
		const { output, diff, locations, input, state: reportedState } = change;
		const isOwn = !isQuestion && hasBegun;
		const says = isOwn ? undefined : output;
		const hasContent = isOwn && (output !== undefined || diff !== undefined);
		const isAnyway = !isQuestion && merged.unpermitted === undefined && goesOn(known, change);
		const heard = {
			...merged,
			...(says !== undefined && { says }),
			...(hasContent && { hasContent }),
			...(isAnyway && { unpermitted: "denied" as const }),
		};
		const reported = isQuestion || this.#isAsked(change.toolCallId) ? heard : judgedMeanwhile(heard);
		const next = this.#deniedCommands.judged(change.toolCallId, known, reported);
		this.#remember(change.toolCallId, next);
		const printed = says === undefined ? (output ?? printedBefore(known, next)) : undefined;
		const saysMore = output !== undefined || diff !== undefined || locations !== undefined;
		if (known !== undefined && !saysMore && isDeepStrictEqual(known, next)) return [];
		const upsert: ProviderUpdate = {
			kind: "tool_call",
			toolCallId: change.toolCallId,
			title: next.title,
			toolKind: next.toolKind,
			state: next.state,
			...(isQuestion || reportedState === next.state ? {} : omitUndefined({ reportedState })),
			...(input === undefined ? {} : { input: input.preview }),
			...omitUndefined({ output: printed, says, diff: markedDiff(change), locations }),
			...(next.unpermitted === undefined ? {} : { unpermitted: next.unpermitted }),
			...swappedIn(next),
		};
		return [upsert];
	}

	/** True if the reported failure is only the end of a call that never began, because a question about it is open or was withdrawn. */
	#neverRan(known: KnownTool | undefined, { toolCallId, state, hasExited }: ToolCallChange): boolean {
		return state === "failed" && hasExited !== true && known?.state === "pending" && !known.allowed && this.#isAsked(toolCallId);
	}

	knows(toolCallId: ToolCallId): boolean {
		return this.#tools.has(toolCallId);
	}

	/**
	 * True if a report is about a new call rather than the finished one with the same id: the report begins a call, or differs in title or
	 * input. After a denial, both have to be true, because an agent may continue a call that was denied.
	 */
	isAnother({ toolCallId, state = "pending", title, input }: ToolCallChange): boolean {
		const known = this.#tools.get(toolCallId);
		if (known === undefined || !hasFinished(known)) return false;
		const begins = state === "pending" || state === "running";
		const differs = (title ?? known.title) !== known.title || (input !== undefined && sha256(input.whole) !== known.inputDigest);
		return known.state === "denied" ? begins && differs : begins || differs;
	}

	/**
	 * True if a report names something other than the call with the same id. Always false for a denied call, because its agent may continue
	 * it, and for a call with a question unless the call has failed, because whatever is done instead of such a call is attributed to it.
	 */
	isOtherReport(change: ToolCallChange): boolean {
		const known = this.#tools.get(change.toolCallId);
		if (known === undefined || known.state === "denied" || (known.question !== undefined && known.state !== "failed")) return false;
		return isOtherReport(known, change);
	}

	/**
	 * True if a question is about a new call rather than the known one with the same id: its input differs from that of the last question
	 * about the known call or, if there was no question, from that of the known call once it has finished. A question without an input is
	 * about a new call only if the known call has finished under another title.
	 */
	isAnotherQuestion({ toolCallId, title, input }: ToolCallChange): boolean {
		const known = this.#tools.get(toolCallId);
		if (known === undefined) return false;
		const before = known.question ?? (hasFinished(known) ? known : undefined);
		if (input !== undefined) return before !== undefined && isOtherInput(before, input);
		return hasFinished(known) && title !== undefined && title !== known.title;
	}

	/** The title and the kind of a report. If the report leaves them out, those that the agent gave last for the same id. */
	namedAsBefore(change: ToolCallChange): Pick<ToolCallChange, "title" | "toolKind"> {
		const { title, saysTitle, latestKind } = this.#tools.get(change.toolCallId) ?? {};
		return omitUndefined({ title: change.title ?? (saysTitle && title), toolKind: change.toolKind ?? latestKind });
	}

	/** The title and the kind of a call that a question is about, because a question may leave them out. Empty if the call has finished. */
	nameOf({ toolCallId, title, toolKind }: ToolCallChange): Pick<ToolCallChange, "title" | "toolKind"> {
		const known = this.#tools.get(toolCallId);
		if (known === undefined || hasFinished(known)) return {};
		const kind = moreSerious(known.statedKind, toolKind);
		return { title: title ?? known.title, ...(kind !== undefined && { toolKind: kind }) };
	}

	/** True if a report continues the earlier, allowed call rather than the call with the same id that is still being asked about. */
	isOfEarlier(earlier: ToolCallId, { toolCallId, input }: ToolCallChange): boolean {
		const [before, asked] = [this.#tools.get(earlier), this.#tools.get(toolCallId)];
		if (before?.question === undefined || hasFinished(before) || this.#isAsked(earlier) || !this.#isAsked(toolCallId)) return false;
		return input === undefined || (asked?.question !== undefined && isOtherInput(asked.question, input));
	}

	/**
	 * Notes that the agent asks about a call. Only the bridge can answer, so an agent that reports the call as done before the answer did not
	 * wait. Returns an update if the agent has already done so. `questionId` distinguishes questions about the call that are open at the same
	 * time.
	 */
	asks(toolCallId: ToolCallId, questionId = ""): readonly ProviderUpdate[] {
		this.#unanswered.delete(toolCallId);
		this.#asked.set(toolCallId, withRequest(this.#asked.get(toolCallId) ?? noRequests, questionId));
		const known = this.#tools.get(toolCallId);
		if (known === undefined) return [];
		const { command, inputDigest, showsDiff, title, toolKind, state } = known;
		const announced = known.input?.text === "{}" ? known.lastCommand : undefined;
		const question = {
			inputDigest,
			...omitUndefined({ command, announced }),
			...askedChanges(known.change, known.input),
			...(showsDiff && { showsDiff }),
		};
		const isLate = state === "completed" && known.question === undefined && known.unpermitted === undefined;
		this.#remember(toolCallId, { ...known, question, ...(isLate && { unpermitted: "unanswered" as const }) });
		return isLate ? [{ kind: "tool_call", toolCallId, title, toolKind, state, unpermitted: "unanswered" }] : [];
	}

	/**
	 * Notes that a call was allowed, with what the question showed, because the agent may have changed the call since then. A call that was
	 * denied earlier becomes pending, because its agent has asked again; an update says so.
	 */
	allowed(question: Omit<ToolQuestion, "inputHash" | "isShown">, questionId = ""): readonly ProviderUpdate[] {
		const { toolCallId } = question;
		this.#keep(toolCallId, withPermission(this.#asked.get(toolCallId) ?? noRequests, questionId));
		const known = this.#tools.get(toolCallId);
		if (known === undefined) return [];
		this.#deniedCommands.allowed(known);
		const { unpermitted, allowed: _earlier, ...rest } = known;
		const allowed = allowedBy(known, question);
		if (known.state !== "denied") {
			this.#remember(toolCallId, { ...rest, allowed, ...(unpermitted && { unpermitted }) });
			return [];
		}
		this.#remember(toolCallId, { ...rest, allowed, state: "pending" });
		return [{ kind: "tool_call", toolCallId, title: known.title, toolKind: known.toolKind, state: "pending" }];
	}

	/**
	 * Records the user's denial. Later reports from the agent about this call do not change it. A report that the call is done, or that it
	 * runs and shows new output, is passed on as a contradiction. Empty if the agent asked several times at once and another of these
	 * questions is still open or was allowed, because one permission is enough to make the call.
	 */
	denied(toolCallId: ToolCallId, questionId = ""): readonly ProviderUpdate[] {
		return this.#notAllowed(toolCallId, questionId, true);
	}

	/** Notes that a question ended unanswered. If it was the last open one and none was allowed, an earlier denial is recorded. */
	withdrawn(toolCallId: ToolCallId, questionId: string): readonly ProviderUpdate[] {
		return this.#notAllowed(toolCallId, questionId, false);
	}

	#notAllowed(toolCallId: ToolCallId, questionId: string, isDenied: boolean): readonly ProviderUpdate[] {
		const { joint, decides } = withDenial(this.#asked.get(toolCallId) ?? noRequests, questionId, isDenied, !isDenied);
		this.#keep(toolCallId, joint);
		if (decides === false) this.#unanswered.add(toolCallId);
		if (decides !== true) return [];
		const known = this.#tools.get(toolCallId) ?? merge(undefined, { toolCallId });
		this.#remember(toolCallId, { ...known, state: "denied" });
		this.#deniedCommands.denied(known, this.#tools);
		return [{ kind: "tool_call", toolCallId, title: known.title, toolKind: known.toolKind, state: "denied" }];
	}

	/** True while the agent has asked about the call and has no permission for it. */
	#isAsked(toolCallId: ToolCallId): boolean {
		return isAsked(this.#asked.get(toolCallId)) || this.#unanswered.has(toolCallId);
	}

	#keep(toolCallId: ToolCallId, joint: JointRequests<boolean>): void {
		if (joint.open.size === 0) this.#asked.delete(toolCallId);
		else this.#asked.set(toolCallId, joint);
	}

	/** Reports that a denied call's files show its change, or only that they changed. Empty if the agent reported the call as done. */
	madeAnyway({ toolCallId, paths, onlyChanged }: MadeAnyway): readonly ProviderUpdate[] {
		const known = this.#tools.get(toolCallId);
		if (known === undefined || known.state !== "denied" || known.unpermitted !== undefined) return [];
		this.#remember(toolCallId, { ...known, unpermitted: "found" });
		const { title, toolKind, state } = known;
		const locations = paths.map((path) => ({ path }));
		return [
			{ kind: "tool_call", toolCallId, title, toolKind, state, locations, unpermitted: "found", ...(onlyChanged && { onlyChanged }) },
		];
	}

	/**
	 * The calls that were allowed and that the agent never reported as ended, at the end of its turn. A call that it reports as something else
	 * than what was allowed says so.
	 */
	leftOpen(): readonly ToolCallUpdate[] {
		return [...this.#tools].flatMap(([toolCallId, known]): ToolCallUpdate[] => {
			if (known.allowed === undefined || hasFinished(known) || this.#isAsked(toolCallId)) return [];
			const { title, toolKind, state } = known;
			const swapped = reportedInstead(known);
			return [{ kind: "tool_call", toolCallId, title, toolKind, state, ...(swapped && { unpermitted: "another", swapped }) }];
		});
	}

	/** A tool call in its current state, for the question about it. */
	question(toolCallId: ToolCallId): ToolQuestion {
		return questionAbout(toolCallId, this.#tools.get(toolCallId) ?? merge(undefined, { toolCallId }));
	}

	#remember(toolCallId: ToolCallId, tool: KnownTool): void {
		this.#tools.delete(toolCallId);
		this.#tools.set(toolCallId, tool);
		if (this.#tools.size <= REMEMBERED_TOOLS) return;
		const [oldest] = this.#tools.keys();
		if (oldest !== undefined) this.#tools.delete(oldest);
	}
}

/** The text from before the call began. It counts as output if the agent asked nothing about the call and showed nothing else of it. */
function printedBefore(before: KnownTool | undefined, { state, says, question, hasContent }: KnownTool): Preview | undefined {
	const isDone = state === "completed" && before?.state !== "completed";
	return isDone && question === undefined && hasContent !== true ? says : undefined;
}
