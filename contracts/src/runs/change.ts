import { z } from "zod";
import { Approval } from "../approvals/approval.ts";
import { TaskSummary } from "./snapshot.ts";

/** A position among the bridge's changes. Opaque: it names its log, so that another bridge's cursor is recognized. */
export const ChangeCursor = z
	.string()
	.max(100)
	.regex(/^[0-9a-f]+-\d+$/, "must be a cursor from xworkmate.changes.subscribe");
export type ChangeCursor = z.infer<typeof ChangeCursor>;

/** What changed, in its current state (docs/protocol.md#changes). */
export const Change = z.discriminatedUnion("kind", [
	/** The run was accepted, started or ended. */
	z.object({ kind: z.literal("run"), run: TaskSummary }),
	/** The approval was requested, decided or withdrawn, or it expired, or its grant was revoked. */
	z.object({ kind: z.literal("approval"), approval: Approval }),
	/** The cursor belongs to another log: what the client knows may no longer exist, so everything that exists follows. */
	z.object({ kind: z.literal("resync") }),
	/**
	 * The tools, the accepted versions or the rules have changed: list them again. Sent only to connected readers, with the cursor of the
	 * previous change.
	 */
	z.object({ kind: z.literal("tools") }),
	/** An agent changed, or its installation, test or sign-in made progress: list agents again. Sent in the same way as `tools`. */
	z.object({ kind: z.literal("agents") }),
]);
export type Change = z.infer<typeof Change>;

/** Params of the `xworkmate.change` notification. */
export const ChangeNotice = z.object({ cursor: ChangeCursor, change: Change });
export type ChangeNotice = z.infer<typeof ChangeNotice>;

/** The next changes, and the cursor after them. */
export const ChangePage = z.object({ items: z.array(ChangeNotice), cursor: ChangeCursor });
export type ChangePage = z.infer<typeof ChangePage>;

export const BRIDGE_CHANGE = "xworkmate.change";
