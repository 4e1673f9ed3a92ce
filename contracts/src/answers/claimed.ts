/** What a sentence claims, if it claims anything. */
export type Claimed =
	| {
			/** True: a file that was made can be what it tells of. */
			readonly isOfFile: boolean;
	  }
	| undefined;
