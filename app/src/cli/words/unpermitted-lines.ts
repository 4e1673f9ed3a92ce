import type { Unpermitted } from "@xworkmate/contracts";
import { activityWords } from "../../strings/call-words.ts";
import { printable } from "../../text/printable.ts";
import type { TurnStatus } from "../../threads/domain/thread.ts";

/**
 * Why a success is not called verified even if its answer makes no claims, in the words of the page's card.
 * @param swapped the commands that were allowed and reported, if they differ
 */
export function unpermittedLines(
	status: TurnStatus,
	unpermitted: Unpermitted | undefined,
	swapped: readonly string[] = [],
): readonly string[] {
	return status === "completed" && unpermitted !== undefined
		? [activityWords.unpermitted[unpermitted], ...swapped].map((line) => `  ${printable(line)}`)
		: [];
}
