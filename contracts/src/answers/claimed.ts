/** What a sentence claims, if it claims anything. */
export type Claimed =
	| {
			/** True: the claim may be about a file that was created. */
			readonly isOfFile: boolean;
	  }
	| undefined;
