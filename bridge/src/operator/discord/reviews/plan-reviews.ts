import type { OwnerWords } from "../../../ports/channels/owner-words.ts";
import type { PlanService } from "../../../ports/plans/plan-service.ts";

/** What Discord needs to ask the user about plan messages that are waiting for a decision. */
export interface PlanReviews {
	readonly plans: Pick<PlanService, "get" | "list" | "occurrences" | "preview" | "review" | "settle" | "feed">;
	/** The only user who is asked and may answer; undefined if no user on Discord is asked. Reread on each use. */
	user(): string | undefined;
	/** The words for the recipient of Discord messages that name none. Reread on each use. */
	discordOwner(): OwnerWords;
}
