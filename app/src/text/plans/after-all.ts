import type { DeliveryAction } from "@xworkmate/contracts";
import { hasArrived } from "@xworkmate/contracts/has-arrived";
import { fill } from "../../strings/interface.ts";
import { recordedBeforeWords, settledNotSent } from "../../strings/plans/plan-words.ts";
import { localTime } from "../local-time.ts";
import { codeTitle } from "./code-title.ts";

/**
 * For a message that was recorded as not sent but was delivered after all: the channel's reports, then the title of the earlier record. The
 * record's message and fix are left out, because they are out of date. Undefined for any other message.
 */
export function afterAllWords(action: DeliveryAction, now: number): readonly string[] | undefined {
	const { status, settledBy, later = [] } = action;
	if (status !== "failed" || !hasArrived(action)) return undefined;
	const reason = codeTitle(action);
	return [
		...later.map((one) => `${localTime(one.at, now)}: ${one.message}`),
		...(settledBy !== undefined ? [settledNotSent] : reason === undefined ? [] : [fill(recordedBeforeWords, { reason })]),
	];
}
