import { fill } from "../../strings/interface.ts";
import { plansPageWords } from "../../strings/plans-page-words.ts";
import { cancelWords } from "../../text/cancel-words.ts";
import { cancellable, isOpen, openOccurrences } from "../../text/open-messages.ts";
import { oneLine } from "../../text/printable.ts";
import type { Removal } from "../parts/confirm.ts";
import type { Output } from "../parts/output.ts";
import { findNamed, occurrenceOf } from "./find-occurrence.ts";
import { messageLines, readNow } from "./plan-lines.ts";

/** Undefined if nothing is pending: then a cancel ends nothing. */
export async function planCancelling({ api }: Output, id: string): Promise<Removal | undefined> {
	const { plan, occurrenceId } = await findNamed(api, id);
	const found =
		occurrenceId === undefined
			? await openOccurrences((cursor) => api.planOccurrences({ planId: plan.planId, limit: 200, ...(cursor !== undefined && { cursor }) }))
			: { items: [await occurrenceOf(api, plan, occurrenceId)], isWhole: true };
	const open = { ...found, items: found.items.filter(isOpen) };
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
