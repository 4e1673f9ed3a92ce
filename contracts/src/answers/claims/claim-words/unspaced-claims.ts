/** How a language that is written without spaces states an effect, as patterns for one clause. Data only. */
export interface UnspacedClaims {
	/** A word that marks the clause as a completed action. It appears somewhere before one of the verbs. */
	readonly mark?: RegExp;
	readonly verb?: RegExp;
	readonly claims: readonly RegExp[];
	/** Effects that a file can prove. */
	readonly made: RegExp;
	/** Things that are never files. */
	readonly thing: RegExp;
	/** Words that deny, plan or offer, or that report a failure. */
	readonly off: RegExp;
	/** Words that say that others did something, or that something was read. */
	readonly other: RegExp;
	/** More words for what an assistant acts on, in addition to `thing`, and words that say whose it is: "文章", "您的". */
	readonly target: RegExp;
	/** A clause with its own subject. */
	readonly subject: RegExp;
	/** Words for things that are counted and that no assistant acts on. They show that the sentence is a report. */
	readonly report: RegExp;
}
