import type { Given } from "../../api/method.ts";
import type { appMethods } from "../../api/methods.ts";
import { forgetPress, pressedIds } from "../composer/pressed-ids.ts";
import { callApp } from "../connection/call-app.ts";
import { go, route } from "../state/route.ts";

type NewPlan = Given<(typeof appMethods)["createPlan"]>;
const PLACE = "new plan";

/**
 * Creates a plan and opens it, unless the user has left the page in the meantime. Until the app confirms the plan, pressing the button
 * again with the same content repeats the same request, because the answer may have been lost. After that, pressing the button creates
 * another plan.
 * @throws AppRefusal
 */
export async function makePlan(plan: Omit<NewPlan, "requestId">): Promise<void> {
	const place = route.value;
	const { turnId } = pressedIds(PLACE, { prompt: JSON.stringify(plan) });
	const { planId } = await callApp("createPlan", { ...plan, requestId: turnId } as NewPlan);
	forgetPress(PLACE);
	if (route.value === place) go({ page: "plan", planId });
}
