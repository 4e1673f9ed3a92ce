import { words } from "../../strings/interface.ts";
import type { Turn } from "../../threads/domain/thread.ts";
import { isSettledStatus } from "../turn/settled.ts";

/** Why the queue is paused. `staysHeld`: messages are on hold because of an earlier run. */
export function whyHeld(last: Turn | undefined, staysHeld: boolean): string {
	const { waitingStopped, waitingStoppedByOther, waitingUnknown, waitingForYou, waitingPaused, waitingHeld, waitingUnsent } =
		words.composer;
	switch (last?.status) {
		case "cancelled":
			if (last.runId === undefined) return waitingUnsent;
			return isStoppedHere(last) ? waitingStopped : waitingStoppedByOther;
		case "unresolved":
		case "interrupted":
			return waitingUnknown;
		case "refused":
			return waitingUnsent;
		case "completed":
			return waitingForYou;
		default:
			if (last !== undefined && !isSettledStatus(last.status)) return waitingPaused;
			return staysHeld ? waitingForYou : waitingHeld;
	}
}

/** True if the user stopped the cancelled run, and it did not end for another reason before the request reached its agent. */
function isStoppedHere({ cancelRequestedAt, stoppedAfterMs, resultDetail }: Turn): boolean {
	return cancelRequestedAt !== undefined && stoppedAfterMs === undefined && resultDetail?.code !== "CANCELLED_REMOTELY";
}
