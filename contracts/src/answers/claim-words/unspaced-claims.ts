/** What a language without spaces says an effect with: regular expressions over one clause. Data alone. */
export interface UnspacedClaims {
	/** Somewhere before a verb of `verb` it says that it is done. Empty: there is no such word. */
	readonly mark: string;
	readonly verb: string;
	readonly claim: readonly string[];
	/** Effects that a file may be the proof of. */
	readonly made: string;
	/** Things that no file is. */
	readonly thing: string;
	/** What denies, plans, offers, or says that it failed. */
	readonly off: string;
	/** Others did it, or it was read. */
	readonly other: string;
}
