import type { DeliveryAction, DeliveryCode } from "@xworkmate/contracts";

/** Holds a message for the user to review. `code`: the reason. */
export function hold(action: DeliveryAction, code: DeliveryCode): DeliveryAction {
	return { ...withoutNews(action), status: "needs_review", code };
}

/** Records further reasons for holding a message, beside the one that it is about to be held for. */
export function alsoHeld(action: DeliveryAction, codes: readonly DeliveryCode[]): DeliveryAction {
	const { heldFor = [] } = action;
	return codes.length === 0 ? action : { ...action, heldFor: [...new Set([...heldFor, ...codes])] };
}

/** Marks a message as one that will never be sent. `code`: the reason. */
export function fail(action: DeliveryAction, code: DeliveryCode): DeliveryAction {
	return { ...withoutNews(noted(action)), status: "failed", code };
}

/** The message before a decision about it is applied, with the reason for which it is held recorded in `heldFor`. */
export function noted(action: DeliveryAction): DeliveryAction {
	const { status, code, heldFor = [], mayHaveBeenSent } = action;
	if (status !== "needs_review") return action;
	const reasons = new Set([...heldFor, ...(code === undefined ? [] : [code]), ...(mayHaveBeenSent ? ["STORE_RESTORED" as const] : [])]);
	return reasons.size === heldFor.length ? action : { ...action, heldFor: [...reasons] };
}

/** The reasons that apply to a message's text or to its work, and so to every message with the same text. Undefined if there are none. */
export function heldForItsText(heldFor: readonly DeliveryCode[] = []): DeliveryCode[] | undefined {
	const reasons = heldFor.filter((code) => code === "UNVERIFIED_CLAIM" || code === "WORK_UNVERIFIED" || code.startsWith("LINT_"));
	return reasons.length === 0 ? undefined : reasons;
}

/** The message without the codes, times and words of an earlier state. */
function withoutNews(action: DeliveryAction): DeliveryAction {
	const { stage: _stage, notBefore: _at, code: _code, message: _message, fix: _fix, mayHaveBeenSent: _sent, ...rest } = action;
	return rest;
}

/** Holds a message because the record of its run casts doubt on the run's success. `doubt`: the reason, as a sentence. */
export function holdFor(action: DeliveryAction, doubt: string): DeliveryAction {
	return { ...hold(action, "WORK_UNVERIFIED"), message: doubt };
}
