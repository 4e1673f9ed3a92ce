import type { PlanService } from "../../../ports/plan-service.ts";

/** Messages of plans that wait for a person, as far as Discord needs them. */
export interface PlanReviews {
	readonly plans: Pick<PlanService, "get" | "list" | "occurrences" | "preview" | "review" | "settle" | "feed">;
	/** Who is asked, and alone may answer; undefined: no one on Discord. Read again for each use. */
	user(): string | undefined;
}
