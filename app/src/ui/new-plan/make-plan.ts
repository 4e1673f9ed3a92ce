import type { Given } from "../../api/method.ts";
import type { appMethods } from "../../api/methods.ts";
import { forgetPress, pressedIds } from "../composer/pressed-ids.ts";
import { callApp } from "../connection/call-app.ts";
import { go, route } from "../state/route.ts";

type NewPlan = Given<(typeof appMethods)["createPlan"]>;
const PLACE = "new plan";

/**
 * Makes a plan and opens it, unless the page was left meanwhile. If the answer to a press is lost, pressing again makes the same plan; after
 * that, the next press makes another.
 * @throws AppRefusal
 */
export async function makePlan(plan: Omit<NewPlan, "requestId">): Promise<void> {
	const place = route.value;
	const { turnId } = pressedIds(PLACE, { prompt: JSON.stringify(plan) });
	const { planId } = await callApp("createPlan", { ...plan, requestId: turnId } as NewPlan);
	forgetPress(PLACE);
	if (route.value === place) go({ page: "plan", planId });
}
