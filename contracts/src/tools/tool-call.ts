import { z } from "zod";
import { ToolCallId } from "../ids/ids.ts";
import { ReportedToolId, Risk, ToolId } from "./tool-id.ts";

export const ToolCallState = z.enum(["pending", "running", "completed", "failed", "denied"]);
export type ToolCallState = z.infer<typeof ToolCallState>;

/** The kind of tool, as the agent declares it. Unreliable: it may only tighten a decision, never loosen one. */
export const ToolKind = z.enum(["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"]);
export type ToolKind = z.infer<typeof ToolKind>;

/** At most 16 KiB of text of an input or an output. */
export const Preview = z.object({ text: z.string(), truncated: z.boolean() });
export type Preview = z.infer<typeof Preview>;

export const Diff = z.object({ path: z.string(), oldText: z.string().optional(), newText: z.string(), truncated: z.boolean() });
export type Diff = z.infer<typeof Diff>;

export const Location = z.object({ path: z.string(), line: z.int().min(0).optional() });
export type Location = z.infer<typeof Location>;

/**
 * The agent asked, and reports the call as done although the answer was no, or before there was one. Only a report: nothing shows that it
 * is so.
 */
export const Unpermitted = z.enum(["denied", "unanswered"]);
export type Unpermitted = z.infer<typeof Unpermitted>;

/** Upsert by toolCallId: an absent field keeps its earlier value. */
export const ToolCall = z.object({
	toolCallId: ToolCallId,
	title: z.string(),
	toolKind: ToolKind,
	state: ToolCallState,
	input: Preview.optional(),
	output: Preview.optional(),
	diff: z.array(Diff).optional(),
	locations: z.array(Location).optional(),
	/** Of a typed tool's call, and of a call that has receipts. */
	toolId: z.union([ToolId, ReportedToolId]).optional(),
	risk: Risk.optional(),
	origin: z.enum(["executed", "reported"]).optional(),
	/** `denied`: the state stays `denied`, since that is what was decided. */
	unpermitted: Unpermitted.optional(),
	/** An agent reported that it edited files, and none of them was there when the bridge looked; false: one of them is there by now. */
	notFound: z.boolean().optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;
