import { z } from "zod";
import { RunEdits } from "../edits/edit.ts";
import { RunId, Timestamp, ToolCallId } from "../ids/ids.ts";
import { PlanId } from "../ids/plan-id.ts";
import { ReceiptId, ReceiptOrigin } from "../receipts/receipt.ts";
import { Contradiction, SwappedCommand, Unpermitted } from "../tools/tool-call.ts";
import { ReportedToolId, Risk, ToolId } from "../tools/tool-id.ts";

export const ActivityStatus = z.enum(["succeeded", "failed", "denied", "pending", "unknown"]);
export type ActivityStatus = z.infer<typeof ActivityStatus>;

export const ActivityItem = z.object({
	toolCallId: ToolCallId,
	toolId: z.union([ToolId, ReportedToolId]),
	risk: Risk,
	origin: ReceiptOrigin,
	status: ActivityStatus,
	approval: z
		.object({
			required: z.boolean(),
			decision: z.enum(["allow_once", "allow_window", "allow", "deny"]).optional(),
			by: z.string().optional(),
		})
		.optional(),
	/**
	 * Set on a reported call with status `succeeded` or `failed`: the request for it was denied, had no answer yet, or was for
	 * something else, or a file was changed even though the edit was denied.
	 */
	unpermitted: Unpermitted.optional(),
	/** True if `unpermitted` is `found`, and all that is known is that the file has changed: someone else may have changed it. */
	onlyChanged: z.boolean().optional(),
	/** What was allowed and what was reported instead. Set if `unpermitted` is `another` and both are known. */
	swapped: SwappedCommand.optional(),
	/** The command of another call, which was denied, if `unpermitted` is `denied` and this call contains it in other words. */
	deniedCommand: z.string().optional(),
	/** Set on a reported call with status `succeeded` if it did not do what was reported: what the bridge found. */
	contradiction: Contradiction.optional(),
	/** When the receipt with the call's status was written. */
	when: Timestamp,
	/**
	 * What the call does: in the words of its tool, or, if it was reported, its files, its command or the agent's title, whichever is known.
	 */
	words: z.string(),
	/** The agent's title for a reported call, if `words` are something else. */
	title: z.string().optional(),
	/** The beginning of a reported call's command, if it is known, with its line breaks. */
	command: z.string().optional(),
	/** True if the command is longer than the shown part. */
	commandTruncated: z.boolean().optional(),
	/**
	 * Only in a snapshot, and not derived from receipts: every report of a successful call showed nothing but a title. Such a call backs no
	 * claim, unless the user allowed what the title says.
	 */
	titleOnly: z.boolean().optional(),
	/**
	 * Only in a snapshot, and not derived from receipts: the report that the call is done also replaced its command. Such a call backs no
	 * claim.
	 */
	replaced: z.boolean().optional(),
	/**
	 * Only in a snapshot, and not derived from receipts: the files that contradict what the agent reports, or that changed although their
	 * edit was denied. Relative to the working directory, or as the agent named them.
	 */
	examined: z.array(z.string()).optional(),
	/** The files that the bridge looked at for a reported edit, move or deletion, as text for people: it names at most three. */
	file: z.string().optional(),
	/** The receipt with the call's status: the call's last one, unless a decision came late. */
	receiptRef: ReceiptId,
	/** The plan that the call made, if it made one. */
	planId: PlanId.optional(),
	/** Why the call did not succeed, if it did not. */
	code: z.string().optional(),
	message: z.string().optional(),
});
export type ActivityItem = z.infer<typeof ActivityItem>;

/** What a run did, derived from its receipts; no model writes any of it. */
export const Activity = z.object({
	runId: RunId,
	/** When the last receipt was written. Absent: there are no receipts. */
	asOf: Timestamp.optional(),
	/** Writes and destructive calls that the bridge executed and that succeeded. */
	completed: z.int().min(0),
	/**
	 * Counts of all calls, including those that are not listed. Calls that an agent reported are counted in `reported` only, however they
	 * ended.
	 */
	counts: z.object({
		succeeded: z.int().min(0),
		failed: z.int().min(0),
		denied: z.int().min(0),
		pending: z.int().min(0),
		unknown: z.int().min(0),
		reported: z.int().min(0),
	}),
	/**
	 * Writes, destructive calls, everything that did not succeed, agents' reads that the user or a rule decided about or that were made
	 * without permission, and key reads, in order of their first receipt.
	 */
	items: z.array(ActivityItem),
	/** Set once the run has ended: the known changes in the folder that it worked in. Not derived from receipts. */
	edits: RunEdits.optional(),
	/** True if there are more items than are listed here. Those on which judgments of the run depend are listed (see `mostTelling`). */
	truncated: z.boolean(),
});
export type Activity = z.infer<typeof Activity>;
