import { z } from "zod";
import type { RunChange } from "./run-change.ts";

const optionalText = z.string().optional().catch(undefined);

const AgentEvent = z.object({
	runId: z.string(),
	sessionKey: optionalText,
	stream: z.string(),
	data: z.object({
		phase: optionalText,
		status: optionalText,
		aborted: z.boolean().optional().catch(undefined),
		error: z.unknown().optional(),
		text: optionalText,
		terminalReply: z.object({ text: optionalText }).optional().catch(undefined),
	}),
});
type AgentEventData = z.infer<typeof AgentEvent>["data"];

/** What an agent event of the gateway means for a run: a change, or its latest text. */
export interface ReadAgentEvent {
	readonly runId: string;
	readonly sessionKey?: string;
	readonly change?: Extract<RunChange, { kind: "begun" | "ended" }>;
	/** The whole text of the assistant's latest message so far. */
	readonly text?: string;
}

/** Decodes an event of the streams `lifecycle` and `assistant`; undefined for anything else. */
export function readAgentEvent(event: unknown): ReadAgentEvent | undefined {
	const parsed = AgentEvent.safeParse(event);
	if (!parsed.success) return undefined;
	const { runId, sessionKey, stream, data } = parsed.data;
	const whose = { runId, ...(sessionKey !== undefined && { sessionKey }) };
	if (stream === "assistant") return data.text === undefined ? undefined : { ...whose, text: data.text };
	const change = stream === "lifecycle" ? readChange(data) : undefined;
	return change && { ...whose, change };
}

/** `start` repeats on every retry of a provider, and `finishing` is not an end: only `end` and `error` are. */
function readChange(data: AgentEventData): ReadAgentEvent["change"] {
	if (data.phase === "start") return { kind: "begun" };
	if (data.phase !== "end" && data.phase !== "error") return undefined;
	const text = data.terminalReply?.text;
	const words = text === undefined || text === "" ? {} : { text };
	if (data.aborted === true || data.status === "cancelled") return { kind: "ended", state: "cancelled", ...words };
	if (data.phase === "end") return { kind: "ended", state: "completed", ...words };
	return { kind: "ended", state: "failed", error: errorWords(data.error), ...words };
}

function errorWords(error: unknown): string {
	if (typeof error === "string" && error !== "") return error;
	const shaped = z.object({ message: z.string().min(1) }).safeParse(error);
	return shaped.success ? shaped.data.message : "the agent failed without giving a reason";
}
