import type { Unpermitted } from "@xworkmate/contracts";
import { activityWords } from "../../strings/call-words.ts";
import type { TurnStatus } from "../../threads/domain/thread.ts";

/** Why a success is not called verified even if its answer makes no claims, in the words of the page's card. */
export function unpermittedLines(status: TurnStatus, unpermitted: Unpermitted | undefined): readonly string[] {
	return status === "completed" && unpermitted !== undefined ? [`  ${activityWords.unpermitted[unpermitted]}`] : [];
}
