import { ContractError } from "@xworkmate/contracts";
import type { PlanService } from "../../ports/plan-service.ts";
import type { PlanParts } from "../plan-parts.ts";
import { Previews } from "../review/previews.ts";
import { resend } from "../review/resend-command.ts";
import { reviewCommands } from "../review/review-commands.ts";
import { planCommands } from "./plan-commands.ts";
import { planQueries } from "./plan-queries.ts";

/** Everything that can be asked of plans. */
export function createPlanService(parts: PlanParts): PlanService {
	const previews = new Previews();
	return {
		...planQueries(parts),
		...planCommands(parts),
		...reviewCommands({ ...parts, previews }),
		extract: async () => {
			throw new ContractError("EXTRACTION_UNAVAILABLE");
		},
		resend: (params) => resend(parts, params),
	};
}
