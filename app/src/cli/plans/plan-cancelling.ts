import type { OccurrenceId, Plan } from "@xworkmate/contracts";
import type { AppApi } from "../../api/app-api.ts";
import { fill } from "../../strings/interface.ts";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { cancelWords } from "../../text/plans/cancel-words.ts";
import { cancellable, isOpen, type OpenOccurrences, openOccurrences } from "../../text/plans/open-messages.ts";
import { oneLine } from "../../text/printable.ts";
import type { Removal } from "../parts/confirm.ts";
import type { Output } from "../parts/output.ts";
import { findNamed, occurrenceOf } from "./find-occurrence.ts";
import { messageLines, readNow } from "./plan-lines.ts";

/** What cancelling would end, for the user to confirm first. Undefined if nothing is pending. */
export async function planCancelling({ api }: Output, id: string): Promise<Removal | undefined> {
	const { plan, occurrenceId } = await findNamed(api, id);
	const open = await pendingOf(api, plan, occurrenceId);
	const ends = cancelWords(open);
	if (ends.length === 0) return undefined;
	const { inReview, waiting } = cancellable(open.items);
	return {
		lines: [
			fill(plansPageWords.actions.cancelTitle, { title: oneLine(plan.title, 200) }),
			...ends,
			...messageLines([...inReview, ...waiting], readNow()).map((line) => `  ${line}`),
		],
		command: `plans cancel ${occurrenceId ?? plan.planId}`,
		otherwise: "Nothing was cancelled.",
	};
}

/** The due times of a plan that have not ended or, if `occurrenceId` is given, only that one, unless it has ended. */
export async function pendingOf(api: Pick<AppApi, "planOccurrences">, plan: Plan, occurrenceId?: OccurrenceId): Promise<OpenOccurrences> {
	const { planId } = plan;
	if (occurrenceId === undefined)
		return openOccurrences((cursor) => api.planOccurrences({ planId, limit: 200, ...(cursor !== undefined && { cursor }) }));
	return { items: [await occurrenceOf(api, plan, occurrenceId)].filter(isOpen), isWhole: true };
}
