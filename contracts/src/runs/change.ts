import { z } from "zod";
import { Approval } from "../approvals/approval.ts";
import { TaskSummary } from "./snapshot.ts";

/** A position in the bridge's changes. Opaque: it says which log it belongs to, so that another bridge's is noticed. */
export const ChangeCursor = z
	.string()
	.max(100)
	.regex(/^[0-9a-f]+-\d+$/, "must be a cursor of xworkmate.changes.subscribe");
export type ChangeCursor = z.infer<typeof ChangeCursor>;

/** What changed, as it is now (docs/protocol.md#changes). */
export const Change = z.discriminatedUnion("kind", [
	/** It was accepted, it started, or it ended. */
	z.object({ kind: z.literal("run"), run: TaskSummary }),
	/** It was asked, it was decided, or its grant was revoked. */
	z.object({ kind: z.literal("approval"), approval: Approval }),
	/** The cursor is of another log: what was known may be gone, and everything there is follows. */
	z.object({ kind: z.literal("resync") }),
]);
export type Change = z.infer<typeof Change>;

/** Params of the `xworkmate.change` notification. */
export const ChangeNotice = z.object({ cursor: ChangeCursor, change: Change });
export type ChangeNotice = z.infer<typeof ChangeNotice>;

/** The next changes, and where they end. */
export const ChangePage = z.object({ items: z.array(ChangeNotice), cursor: ChangeCursor });
export type ChangePage = z.infer<typeof ChangePage>;

export const BRIDGE_CHANGE = "xworkmate.change";
