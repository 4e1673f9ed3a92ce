import type { OwnerWords } from "../../../ports/channels/owner-words.ts";
import type { PlanService } from "../../../ports/plans/plan-service.ts";

/** Plan messages that wait for the user, as far as Discord needs them. */
export interface PlanReviews {
	readonly plans: Pick<PlanService, "get" | "list" | "occurrences" | "preview" | "review" | "settle" | "feed">;
	/** The only user who is asked and may answer; undefined: no one on Discord. Read again for each use. */
	user(): string | undefined;
	/** Who gets a message on Discord that names no recipient. Read again for each use. */
	discordOwner(): OwnerWords;
}
