import { timestamp } from "../../ports/clock.ts";
import type { PlanEvent } from "../../ports/plans/plan-event.ts";
import type { ActionRow } from "../../ports/plans/plan-store.ts";
import { decideClaim } from "../domain/decide-delivery.ts";
import { Admission } from "./actions/admission.ts";
import { type Admitted, examineAction, holdAction } from "./actions/examine-action.ts";
import { findOpenAction, type OpenAction, ofOpenAction } from "./actions/open-action.ts";
import { Attempt } from "./attempt.ts";
import type { AttemptParts } from "./executor-parts.ts";

/** A claimed message, and the attempt to send it. */
export interface TakenAction {
	readonly row: ActionRow;
	readonly attempt: Attempt;
	readonly found: OpenAction;
}

/**
 * Claims all messages that may leave, at once, and holds the others for the user. Returns only the claimed ones. A message is left out if
 * it was held, is not to be sent now, or was claimed by another sender first. If the store fails, the error is passed to `onError`, and the
 * message is left out and unchanged.
 */
export async function takeActions(parts: AttemptParts, rows: readonly ActionRow[]): Promise<readonly TakenAction[]> {
	const admission = new Admission(parts);
	const failed = (error: unknown) => {
		parts.onError(error);
		return undefined;
	};
	const asked: Promise<TakenAction | undefined>[] = [];
	for (const row of rows) {
		const seen = await examineAction(parts, admission, row).catch(failed);
		if (seen === undefined) continue;
		const taken = "hold" in seen ? holdAction(parts, row, seen.hold).then(() => undefined) : claim(parts, seen);
		asked.push(taken.catch(failed));
	}
	return (await Promise.all(asked)).filter((one) => one !== undefined);
}

async function claim(parts: AttemptParts, { row, channel, state: seen }: Admitted): Promise<TakenAction | undefined> {
	const { log, clock, limits } = parts;
	const now = clock.now();
	const lease = { epoch: log.epoch, until: timestamp(now + limits.leaseMs) };
	const decide = ofOpenAction(row, ({ open }): readonly PlanEvent[] => decideClaim(open, row.actionId, lease, now));
	const { state, events } = await log.tryChange(row.planId, decide, seen);
	const found = findOpenAction(state, row);
	if (events.length === 0 || found === undefined) return undefined;
	return { row, found, attempt: new Attempt(parts, row, { channel, claim: lease, n: found.action.attempts }) };
}
