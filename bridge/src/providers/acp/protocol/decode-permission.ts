import type { ApprovalDecision } from "@xworkmate/contracts";
import { z } from "zod";
import type { ToolCallChange } from "../../agent-update.ts";
import type { ToolParts } from "./call-facts.ts";
import { decodeToolCall, toolParts } from "./decode-tool.ts";

const MAX_OPTIONS = 50;
const MAX_NAMES = 10;
const NAME_CHARACTERS = 200;

const Option = z.object({
	optionId: z.string(),
	name: z.string().catch(""),
	kind: z.enum(["allow_once", "allow_always", "reject_once", "reject_always"]),
});
const Request = z.object({ sessionId: z.string(), toolCall: z.unknown(), options: z.array(z.unknown()) });

export interface AgentQuestion {
	readonly conversationId: string;
	readonly change: ToolCallChange;
	/** The call as it was sent. */
	readonly parts: ToolParts;
	/** For each kind of answer, the agent's id of the first option of that kind. */
	readonly answers: AnswerIds;
	readonly names: AnswerNames;
}

/** The names of the options that allow a call once, in the agent's order. An answer chooses the first. */
export interface AnswerNames {
	readonly allowOnce: readonly string[];
	/** True if a name was truncated or left out. */
	readonly isCut: boolean;
}

export type AnswerIds = Partial<Readonly<Record<"allow_once" | "reject_once" | "reject_always", string>>>;

/** Reads the params of session/request_permission (ACP v1). Pure; undefined if they are malformed. */
export function decodePermission(params: unknown): AgentQuestion | undefined {
	const parsed = Request.safeParse(params);
	if (!parsed.success) return undefined;
	const change = decodeToolCall(parsed.data.toolCall);
	if (change === undefined) return undefined;
	const answers: Record<string, string> = {};
	const all: string[] = [];
	const options = parsed.data.options.slice(0, MAX_OPTIONS).flatMap((value) => Option.safeParse(value).data ?? []);
	const allowing = new Set(options.flatMap(({ kind, optionId }) => (kind.startsWith("allow") ? [optionId] : [])));
	for (const { kind, optionId, name } of options) {
		// A denial never has the id of an option that allows: without another one, it is answered with `cancelled`.
		if (kind.startsWith("allow") || !allowing.has(optionId)) answers[kind] ??= optionId;
		if (kind === "allow_once") all.push(name || optionId);
	}
	const allowOnce = all.slice(0, MAX_NAMES).map((name) => name.slice(0, NAME_CHARACTERS).toWellFormed());
	const names = { allowOnce, isCut: all.length > MAX_NAMES || all.some((name) => name.length > NAME_CHARACTERS) };
	return { conversationId: parsed.data.sessionId, change, parts: toolParts(parsed.data.toolCall), answers, names };
}

/**
 * What the user may decide. A grant is offered only for a call that can be distinguished from others (`isKnown`). An agent's `allow_always`
 * is never used, because it grants more than was asked. The bridge keeps grants itself, and answers the agent with `allow_once`.
 */
export function decisionsFor(answers: AnswerIds, isKnown = true): ApprovalDecision[] {
	if (answers.allow_once === undefined) return ["deny"];
	return isKnown ? ["allow_once", "allow_window", "deny"] : ["allow_once", "deny"];
}

/** True if the agent offers a permanent denial, but none that applies only this once. */
export function deniesAlways(answers: AnswerIds): boolean {
	return answers.reject_once === undefined && answers.reject_always !== undefined;
}

/** The agent's option for a decision, chosen by kind only. Undefined: answer `cancelled`. */
export function answerFor(decision: ApprovalDecision, answers: AnswerIds): string | undefined {
	return decision === "deny" ? (answers.reject_once ?? answers.reject_always) : answers.allow_once;
}
