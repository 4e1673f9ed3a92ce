import type { OwnerWords } from "../../../ports/channels/owner-words.ts";
import type { PlanService } from "../../../ports/plans/plan-service.ts";

/** What Discord needs to ask the user about plan messages that are waiting for a decision. */
export interface PlanReviews {
	readonly plans: Pick<PlanService, "get" | "list" | "occurrences" | "preview" | "review" | "settle" | "feed">;
	/** The only user who is asked and may answer; undefined: no one on Discord. Read again for each use. */
	user(): string | undefined;
	/** The words for who gets a message on Discord that names no recipient. Read again for each use. */
	discordOwner(): OwnerWords;
}
