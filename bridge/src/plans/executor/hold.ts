import type { ReviewCode } from "@xworkmate/contracts";

/** Why a message waits for a person, and what they can do. */
export interface Hold {
	readonly code: ReviewCode;
	readonly message: string;
	readonly fix: string;
}
