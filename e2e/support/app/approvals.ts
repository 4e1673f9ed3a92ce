import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { BareClient } from "../wire/bare-client.ts";
import type { EventStream } from "../wire/event-stream.ts";
import { ApprovalRecord, type RunUpdate } from "../wire/wire.ts";

const Decided = z.object({ record: ApprovalRecord, applied: z.boolean() });
const Listed = z.object({ items: z.array(ApprovalRecord) });

/** The n-th question (from 1) that a run asks a user. */
export async function question(stream: EventStream, nth = 1, boundMs?: number): Promise<ApprovalRecord> {
	const asked = new Set<string>();
	const isNth = ({ update }: RunUpdate) => {
		if (update.kind !== "approval" || update.state !== "pending") return false;
		asked.add(String(update.approvalId));
		return asked.size >= nth;
	};
	const update = await stream.until(`question ${nth}`, isNth, boundMs);
	return ApprovalRecord.parse(update.update);
}

export async function decide(client: BareClient, approvalId: string, decision: string): Promise<z.infer<typeof Decided>> {
	return Decided.parse(await client.rpc("xworkmate.approvals.decide", { approvalId, decision }));
}

export async function approvals(client: BareClient, query: Record<string, unknown>): Promise<readonly ApprovalRecord[]> {
	return Listed.parse(await client.rpc("xworkmate.approvals.list", query)).items;
}

/** Allows once whatever is asked, until it is disposed of. */
export function allowingAll(client: BareClient): AsyncDisposable {
	const stop = new AbortController();
	const answering = (async () => {
		while (!stop.signal.aborted) {
			for (const { approvalId } of await approvals(client, { state: "pending" })) await decide(client, approvalId, "allow_once");
			await delay(100);
		}
	})();
	// A failure is thrown when this is disposed of, which awaits the same promise.
	answering.catch(() => undefined);
	return {
		async [Symbol.asyncDispose]() {
			stop.abort();
			await answering;
		},
	};
}
