import type { ReviewCode } from "@xworkmate/contracts";

/** Why a message waits for the user, and what the user can do. */
export interface Hold {
	readonly code: ReviewCode;
	readonly message: string;
	readonly fix: string;
}
