import type { TurnDetail } from "../../api/ui-api.ts";
import type { words } from "../../strings/interface.ts";
import { isAsking, type TurnView } from "./turn-view.ts";

/** What an active turn is doing, in the word that its bar shows too. */
export function underWayHow(view: TurnView, turn: TurnDetail["turn"]): keyof typeof words.thread.endedHow {
	const { status, runId, cancelRequestedAt, stoppingSince = cancelRequestedAt } = turn;
	if (view.syncing !== undefined || status === "completed") return "saving";
	if (status === "waiting" || view.gatewayQueue !== undefined || (view.progress?.stage === "queued" && status !== "running"))
		return "queued";
	if (isAsking(view)) return "asking";
	if (view.runId === undefined && runId === undefined) return "sending";
	if ((view.status ?? status) === "queued") return "queued";
	if (stoppingSince !== undefined) return "stopAsked";
	return view.progress?.stage === "stopping" ? "stopping" : "running";
}
