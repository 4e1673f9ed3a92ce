import { ContractError, omitUndefined } from "@xworkmate/contracts";
import type { SendOutcome } from "../../../ports/channels/channel.ts";

const MAX_MESSAGE = 2_000;
const MAX_FIX = 1_000;
const MAX_ID = 1_000;

/** An outcome as it is stored: a server's text is truncated, and a wait that is not a positive number is dropped. */
export function keptOutcome(outcome: SendOutcome): SendOutcome {
	switch (outcome.kind) {
		case "accepted": {
			const { providerMessageId, message, ...rest } = outcome;
			return {
				...rest,
				...omitUndefined({ providerMessageId: providerMessageId?.slice(0, MAX_ID), message: message?.slice(0, MAX_MESSAGE) }),
			};
		}
		case "passing": {
			const { retryAfterMs, ...rest } = outcome;
			const kept = { ...rest, message: outcome.message.slice(0, MAX_MESSAGE) };
			return retryAfterMs !== undefined && retryAfterMs > 0 ? { ...kept, retryAfterMs } : kept;
		}
		case "no_answer":
			return { ...outcome, message: outcome.message.slice(0, MAX_MESSAGE) };
		case "held":
		case "refused":
			return { ...outcome, message: outcome.message.slice(0, MAX_MESSAGE), fix: outcome.fix.slice(0, MAX_FIX) };
	}
}

/** The outcome for a message that could not be built. No part of it was sent. */
export function unbuilt(error: unknown): SendOutcome {
	if (!(error instanceof ContractError)) return { kind: "passing", message: "The message could not be built." };
	const { code, message, fix } = error;
	switch (code) {
		case "RECIPIENT_UNKNOWN":
			return { kind: "held", code: "RECIPIENT_UNKNOWN", message, fix };
		case "CONTENT_INVALID":
			return { kind: "refused", code: "CONTENT_REFUSED", message, fix };
		case "RECIPIENT_REQUIRED":
		case "CHANNEL_UNAVAILABLE":
			return { kind: "held", code: "CHANNEL_UNAVAILABLE", message, fix };
		default:
			if (error.retryable) return { kind: "passing", message };
			return { kind: "held", code: "ATTACHMENT_MISSING", message, fix };
	}
}

/** The outcome if the bytes that were built earlier are missing. They are not built again, because the result could differ. */
export const bytesGone: SendOutcome = {
	kind: "held",
	code: "ATTACHMENT_MISSING",
	message: "The stored copy of the message is missing.",
	fix: "Review the message, then send it.",
};
