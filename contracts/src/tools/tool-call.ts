import { z } from "zod";
import { ToolCallId } from "../ids/ids.ts";
import { ReportedToolId, Risk, ToolId } from "./tool-id.ts";

export const ToolCallState = z.enum(["pending", "running", "completed", "failed", "denied"]);
export type ToolCallState = z.infer<typeof ToolCallState>;

/** The kind of tool, as the agent declares it. It cannot be trusted: it may tighten a decision, but never loosen one. */
export const ToolKind = z.enum(["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"]);
export type ToolKind = z.infer<typeof ToolKind>;

/** At most 16 KiB of the text of an input or an output. */
export const Preview = z.object({ text: z.string(), truncated: z.boolean() });
export type Preview = z.infer<typeof Preview>;

export const Diff = z.object({ path: z.string(), oldText: z.string().optional(), newText: z.string(), truncated: z.boolean() });
export type Diff = z.infer<typeof Diff>;

export const Location = z.object({ path: z.string(), line: z.int().min(0).optional() });
export type Location = z.infer<typeof Location>;

/**
 * `denied`: the agent reports the call as done although the call, or another call with its command, was denied; or reports the denied call
 * as running, with output that it had not shown before. `unanswered`: the agent reports the call as done although its request for approval
 * was not yet answered or sent. `another`: the agent reports something other than what was allowed, or did so while the call ran. These are
 * only reports: nothing proves that the call was made. `found`: the agent reports nothing, but an edit that was denied is in the file, or
 * the file has changed since and no other call accounts for that.
 */
export const Unpermitted = z.enum(["denied", "found", "unanswered", "another"]);
export type Unpermitted = z.infer<typeof Unpermitted>;

/**
 * What was allowed, and what the agent then reported instead: commands, or the titles of calls without one. At most 300 characters each.
 */
export const SwappedCommand = z.object({ allowed: z.string(), reported: z.string() });
export type SwappedCommand = z.infer<typeof SwappedCommand>;

/** What the bridge found that contradicts an agent's report of editing, moving or deleting files. */
export const Contradiction = z.enum(["not_found", "untouched", "not_held", "still_there"]);
export type Contradiction = z.infer<typeof Contradiction>;

/** Upsert by toolCallId: an absent field keeps its earlier value. */
export const ToolCall = z.object({
	toolCallId: ToolCallId,
	title: z.string(),
	toolKind: ToolKind,
	state: ToolCallState,
	/**
	 * Applies to this update only: the state that the agent reported, if the call keeps another state because it had already failed, been
	 * denied or been reported as done.
	 */
	reportedState: ToolCallState.exclude(["denied"]).optional(),
	input: Preview.optional(),
	output: Preview.optional(),
	/**
	 * What the agent said about the call when it asked for approval, or before it began the call. `output` is the same text only if the agent
	 * did not ask and showed nothing else.
	 */
	says: Preview.optional(),
	diff: z.array(Diff).optional(),
	locations: z.array(Location).optional(),
	/** Set for a typed tool's call, and for any call that has receipts. */
	toolId: z.union([ToolId, ReportedToolId]).optional(),
	risk: Risk.optional(),
	origin: z.enum(["executed", "reported"]).optional(),
	/** With `found`, and with `denied` if this call itself was denied, the call's state stays `denied`, because that was the decision. */
	unpermitted: Unpermitted.optional(),
	/** True, with `found`: all that is known is that the file has changed, so someone else may have changed it. */
	onlyChanged: z.boolean().optional(),
	/** Set if `unpermitted` is `another`. */
	swapped: SwappedCommand.optional(),
	/** With `denied`, if another call was denied and this one contains its command in other words: that command, at most 300 characters. */
	deniedCommand: z.string().optional(),
	/**
	 * The files that the bridge looked at because an agent reported that it edited, moved or deleted them: those that contradict the report,
	 * if any do. Relative to the working directory if they are in it. The title is the agent's, and may name other files.
	 */
	examined: z.array(z.string()).optional(),
	/**
	 * True: an agent reported that it edited or moved files, and the bridge found none of them, or no moved file at its new place. False: at
	 * least one has been found since.
	 */
	notFound: z.boolean().optional(),
	/**
	 * True: an agent reported that it edited or moved files, and none of them had changed since the run's turn began. False: each was
	 * written and holds the reported text, or is new, or one has been written since the bridge inspected it. Absent: it is only a report.
	 */
	untouched: z.boolean().optional(),
	/** True: an agent reported a change, but the file did not hold the new text. False: the file does now, or can no longer be compared. */
	notHeld: z.boolean().optional(),
	/**
	 * True: an agent reported that it deleted files, and at least one of them still existed when the bridge checked. False: none of them did,
	 * and none is known to have been missing when the turn began; or the agent reported a move, and the file that was seen at its old place
	 * is at the new one. Absent: the deletion or the move is only a report.
	 */
	stillThere: z.boolean().optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;
