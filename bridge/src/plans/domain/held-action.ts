import type { DeliveryAction, DeliveryCode } from "@xworkmate/contracts";

/** A message that waits for the user, and why. */
export function hold(action: DeliveryAction, code: DeliveryCode): DeliveryAction {
	return { ...withoutNews(action), status: "needs_review", code };
}

/** A message that will not leave, and why. */
export function fail(action: DeliveryAction, code: DeliveryCode): DeliveryAction {
	return { ...withoutNews(action), status: "failed", code };
}

/** Without the codes, times and words of an earlier state. */
function withoutNews(action: DeliveryAction): DeliveryAction {
	const { stage: _stage, notBefore: _at, code: _code, message: _message, fix: _fix, ...rest } = action;
	return rest;
}

/** Holds a message because the record of its run casts doubt on the run's success. `doubt`: the reason, as a sentence. */
export function holdFor(action: DeliveryAction, doubt: string): DeliveryAction {
	return { ...hold(action, "WORK_UNVERIFIED"), message: doubt };
}
