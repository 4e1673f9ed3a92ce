import { type DeliveryAction, type Occurrence, omitUndefined, type ReceiptDraft, type ReceiptType } from "@xworkmate/contracts";
import type { AttemptNote, PlanEvent, PlanState } from "../../ports/plans/plan-event.ts";
import { sha256Of } from "./sha256.ts";

/**
 * The receipts of one event: what happened to each of its messages, and what the user decided. They contain ids, hashes, codes and
 * counts only. Text of messages and channels is left out, because receipts are permanent. Pure. `before`: the plan before the event.
 */
export function deliveryReceipts(before: PlanState | undefined, { body, attempt, decided }: PlanEvent): readonly ReceiptDraft[] {
	if (!("occurrence" in body)) return [];
	const { occurrence } = body;
	const was = before?.open.find((one) => one.occurrence.occurrenceId === occurrence.occurrenceId)?.occurrence;
	const drafts = occurrence.delivery.flatMap((action) => {
		// Finished occurrences are not part of the state. Only a new occurrence has new messages. Any other message without an earlier state is
		// compared with itself, so that only an attempt or a decision results in a receipt.
		const earlier =
			was?.delivery.find(({ actionId }) => actionId === action.actionId) ?? (body.kind === "task:occurrence" ? undefined : action);
		const type = typeOf(action, earlier, attempt?.actionId === action.actionId ? attempt : undefined, decided);
		return type === undefined ? [] : [draft(type, occurrence, action, decided)];
	});
	const isOfNoMessage = occurrence.delivery.length === 0 && body.kind === "task:review" && decided !== undefined;
	if (!isOfNoMessage) return drafts;
	const { occurrenceId } = occurrence;
	return [{ type: "delivery.reviewed", origin: "executed", detail: { occurrenceId, ...decided } }];
}

const types: Readonly<Record<AttemptNote["state"], ReceiptType>> = {
	claimed: "delivery.requested",
	handed_over: "delivery.handed_over",
	refused: "delivery.failed",
	done: "delivery.succeeded",
	unknown: "delivery.unknown",
};

function typeOf(
	{ status, code }: DeliveryAction,
	earlier: DeliveryAction | undefined,
	attempt: AttemptNote | undefined,
	decided: PlanEvent["decided"],
): ReceiptType | undefined {
	if (attempt !== undefined) return decided === undefined ? types[attempt.state] : "delivery.settled";
	if (status === earlier?.status) return undefined;
	if (earlier?.status === "needs_review" && decided !== undefined && decided.decision !== "cancel") return "delivery.reviewed";
	// The message was dropped without being sent: with its plan, its occurrence or its work, or because its time was skipped.
	if (status === "failed" && code === "CANCELLED") return "delivery.cancelled";
	// Without an attempt, a message completes if the channel reports that an earlier attempt arrived, and fails if the work failed or
	// produced no text.
	if (status === "completed") return "delivery.succeeded";
	return status === "failed" ? "delivery.failed" : undefined;
}

function draft(type: ReceiptType, occurrence: Occurrence, action: DeliveryAction, decided: PlanEvent["decided"]): ReceiptDraft {
	const { actionId, channel, recipient, attempts, status, code, payloadHash, providerMessageId, proof } = action;
	const { occurrenceId } = occurrence;
	const contentHash = type === "delivery.requested" || type === "delivery.reviewed" ? contentHashOf(occurrence, action) : undefined;
	const isSent = type === "delivery.handed_over" || type === "delivery.succeeded" || type === "delivery.settled";
	const sent = isSent ? { providerMessageId, proof } : {};
	const attempt = attempts === 0 ? undefined : attempts;
	return {
		type,
		origin: "executed",
		detail: {
			...{ actionId, occurrenceId, channel, status },
			...omitUndefined({ recipient, attempt, code, payloadHash, contentHash, ...sent, ...decided }),
		},
	};
}

/** The hash of the text that is sent. */
function contentHashOf({ deliverable }: Occurrence, { content }: DeliveryAction): string | undefined {
	return content === undefined ? deliverable?.sha256 : sha256Of(content);
}
