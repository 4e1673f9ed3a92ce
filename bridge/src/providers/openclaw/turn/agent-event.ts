import type { ToolKind } from "@xworkmate/contracts";
import { z } from "zod";
import type { ToolCallChange, ToolInput } from "../../agent-update.ts";
import { boundedTitle, firstBytes, previewOf, readable } from "../../preview.ts";
import { toolCallIdOf } from "../../tool-call-id.ts";

const PATH_BYTES = 4_096;

const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

/** Fields of every event of a run. Events reach every connection, so both fields have to be checked. */
const Envelope = z.object({ runId: z.string(), sessionKey: z.string() });

const Speech = z.object({ text: z.string(), delta: lenient(z.string()), itemId: lenient(z.string()) });
const Item = z.object({
	kind: z.literal("tool"),
	toolCallId: z.string().min(1),
	title: z.string().min(1),
	name: lenient(z.string()),
	phase: z.enum(["start", "end"]),
	status: lenient(z.string()),
});
const Tool = z.object({
	phase: z.enum(["start", "update", "result"]),
	name: lenient(z.string()),
	toolCallId: z.string().min(1),
	args: z.unknown().optional(),
	isError: lenient(z.boolean()),
	result: z.unknown().optional(),
});
const Text = z.object({ type: z.literal("text"), text: z.string() });
const Result = z.object({ content: z.array(z.unknown()) });
const Named = z.looseObject({ path: z.string().min(1) });
const Lifecycle = z.object({ phase: z.string() });
const UsageData = z.object({ outputTokens: z.number().min(0) });
const Final = z.object({ state: z.literal("final"), message: z.object({ content: z.array(z.unknown()) }) });
const Retry = z.object({ state: z.literal("status"), retry: z.object({ attempt: z.int(), maxAttempts: z.int() }) });

/** One event of a run, reduced to what is shown or acted on. */
export type GatewayEvent =
	| { readonly kind: "message" | "thought"; readonly text: string; readonly delta?: string; readonly itemId?: string }
	| { readonly kind: "tool"; readonly change: ToolCallChange }
	| { readonly kind: "usage"; readonly outputTokens: number }
	| { readonly kind: "retrying"; readonly attempt: number; readonly maxAttempts: number }
	/** The final text as the conversation shows it. For a turn that no model answered, it is the only text. */
	| { readonly kind: "final"; readonly text: string }
	/** An event about the run's beginning or end, which triggers a read of its state. */
	| { readonly kind: "lifecycle" }
	| { readonly kind: "ignored" };

const ignored: GatewayEvent = { kind: "ignored" };

/** Which run an event belongs to; undefined if it belongs to none. Pure. */
export function runOf(payload: unknown): { readonly runId: string; readonly sessionKey: string } | undefined {
	return Envelope.safeParse(payload).data;
}

/** Reads the payload of an `agent` event (OpenClaw gateway protocol 4). Pure; never throws. */
export function decodeAgentEvent(payload: unknown): GatewayEvent {
	const parsed = z.object({ stream: z.string(), data: z.unknown() }).safeParse(payload);
	if (!parsed.success) return ignored;
	const { stream, data } = parsed.data;
	switch (stream) {
		case "assistant":
			return speech("message", data);
		case "thinking":
			return speech("thought", data);
		case "item":
			return item(data);
		case "tool":
			return tool(data);
		case "usage": {
			const usage = UsageData.safeParse(data);
			return usage.success ? { kind: "usage", ...usage.data } : ignored;
		}
		case "lifecycle": {
			const phase = Lifecycle.safeParse(data).data?.phase;
			return phase === "start" || phase === "end" || phase === "error" ? { kind: "lifecycle" } : ignored;
		}
		default:
			return ignored;
	}
}

/** Reads the payload of a `chat` event, which has what `agent` events lack. */
export function decodeChatEvent(payload: unknown): GatewayEvent {
	const final = Final.safeParse(payload);
	if (final.success) return { kind: "final", text: textOf(final.data.message.content) };
	const parsed = Retry.safeParse(payload);
	return parsed.success ? { kind: "retrying", ...parsed.data.retry } : ignored;
}

function speech(kind: "message" | "thought", data: unknown): GatewayEvent {
	const parsed = Speech.safeParse(data);
	if (!parsed.success) return ignored;
	const { text, delta, itemId } = parsed.data;
	return { kind, text, ...(delta === undefined ? {} : { delta }), ...(itemId === undefined ? {} : { itemId }) };
}

/** A tool call's title and state, which is all that a connection receives about a turn that it did not send. */
function item(data: unknown): GatewayEvent {
	const parsed = Item.safeParse(data);
	if (!parsed.success) return ignored;
	const { toolCallId, title, name, phase, status } = parsed.data;
	const change: ToolCallChange = {
		toolCallId: toolCallIdOf(toolCallId),
		title: boundedTitle(title),
		toolKind: kindOf(name),
		state: phase === "start" ? "running" : status === "completed" ? "completed" : "failed",
	};
	return { kind: "tool", change };
}

function tool(data: unknown): GatewayEvent {
	const parsed = Tool.safeParse(data);
	if (!parsed.success) return ignored;
	const { phase, name, toolCallId, args, isError, result } = parsed.data;
	const toolKind = kindOf(name);
	const input = args === undefined ? undefined : toolInput(args);
	const output = phase === "result" ? resultText(result) : undefined;
	const path = Named.safeParse(args).data?.path;
	const change: ToolCallChange = {
		toolCallId: toolCallIdOf(toolCallId),
		toolKind,
		state: phase !== "result" ? "running" : isError ? "failed" : "completed",
		...(input === undefined ? {} : { input }),
		...(output === undefined ? {} : { output: previewOf(output) }),
		...(path === undefined ? {} : { locations: [{ path: firstBytes(path, PATH_BYTES) }] }),
	};
	return { kind: "tool", change };
}

const kinds: Readonly<Record<string, ToolKind>> = {
	read: "read",
	image: "read",
	pdf: "read",
	write: "edit",
	edit: "edit",
	apply_patch: "edit",
	exec: "execute",
	bash: "execute",
	process: "execute",
	grep: "search",
	find: "search",
	ls: "search",
	web_search: "search",
	memory_search: "search",
	web_fetch: "fetch",
	browser: "fetch",
};

/** Kinds of OpenClaw's own tools, by name; for display only. */
function kindOf(name: string | undefined): ToolKind {
	return name !== undefined && Object.hasOwn(kinds, name) ? (kinds[name] ?? "other") : "other";
}

function toolInput(args: unknown): ToolInput | undefined {
	const whole = readable(args);
	if (whole === undefined) return undefined;
	return { preview: previewOf(whole), whole };
}

function resultText(result: unknown): string | undefined {
	const parsed = Result.safeParse(result);
	if (!parsed.success) return result === undefined ? undefined : readable(result);
	const text = textOf(parsed.data.content);
	return text === "" ? undefined : text;
}

function textOf(content: readonly unknown[]): string {
	return content.flatMap((part) => Text.safeParse(part).data?.text ?? []).join("\n");
}
