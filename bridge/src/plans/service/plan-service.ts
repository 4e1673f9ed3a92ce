import type { PlanService } from "../../ports/plans/plan-service.ts";
import type { PlanParts } from "../plan-parts.ts";
import { Previews } from "../review/previews.ts";
import { resend } from "../review/resend-command.ts";
import { reviewCommands } from "../review/review-commands.ts";
import { type ExtractDeps, extractPlan } from "../words/extract-plan.ts";
import { planCommands } from "./plan-commands.ts";
import { planQueries } from "./plan-queries.ts";

/** Creates the commands and queries for plans. */
export function createPlanService({ words, ...parts }: PlanParts & { readonly words: ExtractDeps }): PlanService {
	const previews = new Previews();
	return {
		...planQueries(parts),
		...planCommands(parts),
		...reviewCommands({ ...parts, previews }),
		extract: (params) => extractPlan(params, words),
		resend: (params) => resend(parts, params),
	};
}
