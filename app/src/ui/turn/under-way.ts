import type { TurnDetail } from "../../api/ui-api.ts";
import type { words } from "../../strings/interface.ts";
import { isAsking, type TurnView } from "./turn-view.ts";

/** What an active turn is doing, in the word that its bar shows too. */
export function underWayHow(view: TurnView, { status, runId }: TurnDetail["turn"]): keyof typeof words.thread.endedHow {
	if (view.syncing !== undefined || status === "completed") return "saving";
	if (status === "waiting" || view.gatewayQueue !== undefined || (view.progress?.stage === "queued" && status !== "running"))
		return "queued";
	if (isAsking(view)) return "asking";
	if (view.runId === undefined && runId === undefined) return "sending";
	return (view.status ?? status) === "queued" ? "queued" : "running";
}
