import { z } from "zod";
import { Activity } from "../activity/activity.ts";
import { NotedHash, RunId, ThreadId, Timestamp } from "../ids/ids.ts";
import { PlanId } from "../ids/plan-id.ts";
import { Verification } from "../receipts/ledger-line.ts";
import { Receipt, ReceiptId, ReceiptOrigin, ReceiptType } from "../receipts/receipt.ts";
import { ReportedToolId, ToolId } from "../tools/tool-id.ts";
import { type MethodDefinition, page } from "./method-definition.ts";

/** What happened, as receipts and as activity. */
export const receiptMethods = {
	"xworkmate.receipts.list": {
		params: z.strictObject({
			runId: RunId.optional(),
			/** For receipts of what happened to this plan's messages. */
			planId: PlanId.optional(),
			threadId: ThreadId.optional(),
			toolId: z.union([ToolId, ReportedToolId]).optional(),
			type: ReceiptType.optional(),
			origin: ReceiptOrigin.optional(),
			since: Timestamp.optional(),
			until: Timestamp.optional(),
			...page,
		}),
		result: z.object({ items: z.array(Receipt), nextCursor: z.string().optional() }),
		streams: false,
		effects: false,
		summary: "Receipts, newest first.",
	},
	"xworkmate.receipts.get": {
		params: z.strictObject({ receiptId: ReceiptId }),
		result: z.object({ receipt: Receipt, trail: z.array(Receipt) }),
		streams: false,
		effects: false,
		summary: "A receipt, and all receipts of its call or message, oldest first.",
	},
	"xworkmate.receipts.verify": {
		params: z.strictObject({ runId: RunId.optional(), planId: PlanId.optional(), head: NotedHash.optional() }),
		result: Verification,
		streams: true,
		effects: false,
		summary: "Checks the receipts of one run or one plan, or all receipts, against their chains and the signed ledger.",
	},
	"xworkmate.activity.get": {
		params: z.strictObject({ runId: RunId }),
		result: Activity,
		streams: false,
		effects: false,
		summary: "What a run did, derived from its receipts.",
	},
} as const satisfies Record<string, MethodDefinition>;
