import { z } from "zod";
import type { BareClient } from "./bare-client.ts";

const Receipt = z.looseObject({
	n: z.number(),
	type: z.string(),
	origin: z.string(),
	/** Absent in receipts that are not of a call. */
	toolCallId: z.string().default(""),
	toolId: z.string().default(""),
	detail: z.record(z.string(), z.unknown()).optional(),
	outcome: z.looseObject({ code: z.string().optional(), attempt: z.number() }).optional(),
	decision: z.looseObject({ by: z.string(), reason: z.string().optional(), approvalId: z.string().optional() }).optional(),
});
export type Receipt = z.infer<typeof Receipt>;
const Page = z.looseObject({ items: z.array(Receipt), nextCursor: z.string().optional() });
const Verified = z.looseObject({ ok: z.boolean(), receipts: z.number(), problems: z.array(z.unknown()) });

/** All receipts of a run, the first one first. */
export async function receiptsOf(client: BareClient, runId: string): Promise<readonly Receipt[]> {
	const items: Receipt[] = [];
	let cursor: string | undefined;
	do {
		const page = Page.parse(await client.rpc("xworkmate.receipts.list", { runId, ...(cursor === undefined ? {} : { cursor }) }));
		items.push(...page.items);
		cursor = page.nextCursor;
	} while (cursor !== undefined);
	return items.toReversed();
}

/** The types of a call's receipts, without their prefix. */
export async function trailOf(client: BareClient, runId: string, toolCallId?: string): Promise<readonly string[]> {
	const receipts = await receiptsOf(client, runId);
	return receipts
		.filter((receipt) => toolCallId === undefined || receipt.toolCallId === toolCallId)
		.map(({ type }) => type.replace("tool.call.", ""));
}

export async function verifyReceipts(client: BareClient): Promise<z.infer<typeof Verified>> {
	return Verified.parse(await client.rpc("xworkmate.receipts.verify"));
}
