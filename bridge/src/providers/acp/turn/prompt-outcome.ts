import { omitUndefined, type Usage } from "@xworkmate/contracts";
import { z } from "zod";
import type { ProviderOutcome } from "../../../ports/runs/run-event.ts";

const tokens = z.number().min(0).optional().catch(undefined);
const PromptResponse = z.object({
	stopReason: z.string(),
	usage: z.object({ inputTokens: tokens, outputTokens: tokens }).nullish().catch(undefined),
});

export interface PromptEnd {
	readonly outcome: ProviderOutcome;
	readonly usage?: Usage;
}

/**
 * How a turn ended, from the answer to session/prompt.
 * @param denied a request of this turn was denied or has expired; some agents then report the turn as cancelled
 */
export function readPromptResponse(response: unknown, label: string, denied: boolean): PromptEnd {
	const parsed = PromptResponse.safeParse(response);
	if (!parsed.success) return { outcome: failed("PROVIDER_ERROR", `${label} answered the prompt without a stop reason.`) };
	const { stopReason, usage } = parsed.data;
	const counts: Usage = {
		...omitUndefined({ inputTokens: usage?.inputTokens, outputTokens: usage?.outputTokens }),
	};
	const outcome = outcomeOf(stopReason, label, denied);
	return Object.keys(counts).length === 0 ? { outcome } : { outcome, usage: counts };
}

function outcomeOf(stopReason: string, label: string, denied: boolean): ProviderOutcome {
	switch (stopReason) {
		case "end_turn":
			return { kind: "ended" };
		case "cancelled":
			return { kind: "cancelled", remote: !denied };
		case "refusal":
			return failed("REFUSED", `${label} refused to answer.`);
		case "max_tokens":
			return failed("LIMIT_EXCEEDED", `${label} reached its model's token limit before it was done.`);
		case "max_turn_requests":
			return failed("LIMIT_EXCEEDED", `${label} reached its limit of model requests per run before it was done.`);
		default:
			return failed(
				"PROVIDER_ERROR",
				`${label} ended the run for a reason that the protocol does not define: ${stopReason.slice(0, 100)}.`,
			);
	}
}

function failed(code: "PROVIDER_ERROR" | "REFUSED" | "LIMIT_EXCEEDED", message: string): ProviderOutcome {
	return { kind: "failed", code, message };
}
