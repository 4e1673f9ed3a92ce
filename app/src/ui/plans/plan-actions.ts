import type { Plan, RequestId } from "@xworkmate/contracts";
import { fill } from "../../strings/interface.ts";
import { plansPageWords } from "../../strings/plans-page-words.ts";
import { newTurnId } from "../../threads/domain/new-ids.ts";
import { callApp } from "../connection/call-app.ts";
import { go } from "../state/route.ts";
import { attempt } from "../state/thread-actions.ts";
import { say } from "../state/toasts.ts";
import { visibleName } from "../text/visible-text.ts";

const words = plansPageWords.actions;

/** Makes a plan due now, beside its schedule. The request is minted at the press. */
export function runNow({ planId, title }: Plan): Promise<boolean> {
	const requestId = newTurnId() as string as RequestId;
	return attempt(async () => {
		await callApp("runPlan", { planId, requestId });
		say(fill(words.started, { title: visibleName(title) }));
	});
}

/** Lets no further time come due, or goes on. */
export function togglePaused({ planId, title, status }: Plan): Promise<boolean> {
	const isPaused = status === "paused";
	return attempt(async () => {
		await callApp(isPaused ? "resumePlan" : "pausePlan", { planId });
		const undo = () => void attempt(() => callApp(isPaused ? "pausePlan" : "resumePlan", { planId }));
		say(fill(isPaused ? words.resumed : words.paused, { title: visibleName(title) }), { word: plansPageWords.undo, undo });
	});
}

/** Ends what is pending of its open times; what was handed over ends on its own. */
export function cancelOpen({ planId }: Plan): Promise<boolean> {
	return attempt(() => callApp("cancelPlan", { planId }));
}

export function remove({ planId, title }: Plan): Promise<boolean> {
	return attempt(async () => {
		await callApp("deletePlan", { planId });
		go({ page: "plans" });
		say(fill(words.removed, { title: visibleName(title) }));
	});
}
