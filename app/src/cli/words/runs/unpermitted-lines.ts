import type { Unpermitted } from "@xworkmate/contracts";
import { unpermittedReason } from "../../../text/calls/unpermitted-words.ts";
import { printable } from "../../../text/printable.ts";
import { isSettled, type TurnStatus } from "../../../threads/domain/thread.ts";

/**
 * What a run did without permission, however it ended. Empty while the run is active.
 * @param swapped the commands that were allowed and reported, if they differ
 */
export function unpermittedLines(
	status: TurnStatus,
	unpermitted: Unpermitted | undefined,
	swapped: readonly string[] = [],
): readonly string[] {
	if (unpermitted === undefined || !isSettled(status)) return [];
	return [unpermittedReason(status, unpermitted), ...swapped].map((one) => `  ${printable(one)}`);
}
