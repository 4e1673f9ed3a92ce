import { VERIFICATION_PROGRESS, type Verification, VerificationProgress } from "@xworkmate/contracts";
import type { EventSourceMessage } from "eventsource-parser";
import { z } from "zod";
import { unreadable } from "./bridge-errors.ts";
import { decodeAnswer } from "./rpc-answer.ts";

/** The progress of a verification, or its result, which comes last. */
export type VerificationItem =
	| ({ readonly type: "progress" } & VerificationProgress)
	| { readonly type: "ended"; readonly result: Verification };

const Notification = z.looseObject({ jsonrpc: z.literal("2.0"), method: z.string(), params: z.unknown() });

/**
 * Decodes one event of a verification; undefined for a heartbeat, and for an event that this client does not know.
 * @throws ContractError for an error of the bridge, BridgeTransportError for an unreadable event
 */
export function decodeVerification(id: string, { data }: EventSourceMessage): VerificationItem | undefined {
	const payload = parse(data);
	const notification = Notification.safeParse(payload);
	if (!notification.success) return { type: "ended", result: decodeAnswer("xworkmate.receipts.verify", id, payload) };
	if (notification.data.method !== VERIFICATION_PROGRESS) return undefined;
	const progress = VerificationProgress.safeParse(notification.data.params);
	return progress.success ? { type: "progress", ...progress.data } : undefined;
}

function parse(data: string): unknown {
	try {
		return JSON.parse(data);
	} catch (error) {
		throw unreadable("an event is not JSON", error);
	}
}
