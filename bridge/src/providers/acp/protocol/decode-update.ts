import type { Notice, PlanEntry, Usage } from "@xworkmate/contracts";
import { z } from "zod";
import type { AgentUpdate } from "../../agent-update.ts";
import { firstBytes } from "../../preview.ts";
import type { ToolParts } from "./call-facts.ts";
import { contentText } from "./decode-content.ts";
import { decodeToolCall, toolParts } from "./decode-tool.ts";
import { isRecord } from "./is-record.ts";

const MAX_PLAN_ENTRIES = 200;
const PLAN_ENTRY_BYTES = 2_048;
const NOTICE_BYTES = 4_096;
const NAME_LENGTH = 64;

const Plan = z.object({ entries: z.array(z.unknown()) });
const Entry = z.object({
	content: z.string(),
	status: z.enum(["pending", "in_progress", "completed"]).catch("pending"),
	priority: z.enum(["high", "medium", "low"]).optional().catch(undefined),
});
const count = z.number().min(0).optional().catch(undefined);
const UsageUpdate = z.object({
	used: count,
	size: count,
	cost: z
		.object({ amount: z.number().min(0), currency: z.string().min(1).max(20) })
		.optional()
		.catch(undefined),
});
const AgentNotice = z.object({
	severity: z.enum(["info", "warning", "error"]).catch("info"),
	title: z.string(),
	description: z.string().optional().catch(undefined),
});

export interface ReceivedUpdate {
	/** The agent's id of the conversation that the update belongs to. */
	readonly conversationId: string;
	readonly update: AgentUpdate;
	/** The content of an update about a tool call, as it was sent. */
	readonly parts?: ToolParts;
	/** Present for a tool call that the agent sent as a new one. */
	readonly announces?: true;
}

const malformed: ReceivedUpdate = { conversationId: "", update: { kind: "ignored", name: "malformed", isUnreadable: true } };
/** Kinds whose updates show what the agent said or did. */
const shown: ReadonlySet<string> = new Set(["agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "plan"]);

/**
 * Reads the params of a session/update (ACP v1). Pure; never throws: malformed params are `ignored`. The common fields, and pieces of
 * messages and thoughts, are checked by hand: they make up almost all of a turn, and a schema takes several times as long.
 */
export function decodeUpdate(params: unknown): ReceivedUpdate {
	if (!isRecord(params)) return malformed;
	const { sessionId, update } = params;
	if (typeof sessionId !== "string" || !isRecord(update)) return malformed;
	const { sessionUpdate: name } = update;
	if (typeof name !== "string") return malformed;
	const decoded = decoders.get(name)?.(update) ?? ignored(name);
	if (decoded.kind !== "tool") return { conversationId: sessionId, update: decoded };
	return { conversationId: sessionId, update: decoded, parts: toolParts(update), ...(name === "tool_call" && { announces: true }) };
}

function ignored(name: string): AgentUpdate {
	return { kind: "ignored", name: name.slice(0, NAME_LENGTH), ...(shown.has(name) && { isUnreadable: true }) };
}

type Decoder = (update: Readonly<Record<string, unknown>>) => AgentUpdate | undefined;

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
	["agent_message_chunk", (update) => decodeChunk("message", update)],
	["agent_thought_chunk", (update) => decodeChunk("thought", update)],
	["tool_call", decodeTool],
	["tool_call_update", decodeTool],
	["plan", decodePlan],
	["usage_update", decodeUsage],
	["notice", decodeNotice],
]);

function decodeChunk(kind: "message" | "thought", update: Readonly<Record<string, unknown>>): AgentUpdate | undefined {
	if (!("content" in update)) return undefined;
	const { content, messageId } = update;
	const text = contentText(content);
	return typeof messageId === "string" ? { kind, text, agentMessageId: messageId } : { kind, text };
}

function decodeTool(update: unknown): AgentUpdate | undefined {
	const change = decodeToolCall(update);
	return change === undefined ? undefined : { kind: "tool", change };
}

function decodePlan(update: unknown): AgentUpdate | undefined {
	const parsed = Plan.safeParse(update);
	if (!parsed.success) return undefined;
	const entries = parsed.data.entries.slice(0, MAX_PLAN_ENTRIES).flatMap((value): PlanEntry[] => {
		const entry = Entry.safeParse(value);
		if (!entry.success) return [];
		const { content, status, priority } = entry.data;
		return [{ content: firstBytes(content, PLAN_ENTRY_BYTES), state: status, ...(priority === undefined ? {} : { priority }) }];
	});
	return { kind: "plan", entries };
}

function decodeUsage(update: unknown): AgentUpdate | undefined {
	const parsed = UsageUpdate.safeParse(update);
	if (!parsed.success) return undefined;
	const { used, size, cost } = parsed.data;
	const usage: Usage = {
		...(used === undefined ? {} : { contextUsed: used }),
		...(size === undefined ? {} : { contextSize: size }),
		...(cost === undefined ? {} : cost.currency === "USD" ? { costUsd: cost.amount } : { otherCost: cost }),
	};
	return Object.keys(usage).length === 0 ? undefined : { kind: "usage", usage };
}

function decodeNotice(update: unknown): AgentUpdate | undefined {
	const parsed = AgentNotice.safeParse(update);
	if (!parsed.success) return undefined;
	const { severity, title, description } = parsed.data;
	const message = firstBytes(description === undefined ? title : `${title}: ${description}`, NOTICE_BYTES);
	const notice: Notice = { level: severity, code: "AGENT_NOTICE", message };
	return { kind: "notice", notice };
}
