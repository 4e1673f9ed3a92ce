/** How a language that is written without spaces states an effect, as patterns for one clause. Data only. */
export interface UnspacedClaims {
	/** Says that something is done; comes somewhere before one of the verbs. */
	readonly mark?: RegExp;
	readonly verb?: RegExp;
	readonly claims: readonly RegExp[];
	/** Effects for which a file can be the proof. */
	readonly made: RegExp;
	/** Things that are never files. */
	readonly thing: RegExp;
	/** Words that deny, plan or offer, or that report a failure. */
	readonly off: RegExp;
	/** Says that others did it, or that it was read. */
	readonly other: RegExp;
	/** Besides `thing`, what an assistant acts on, and whose it is: "文章", "您的". */
	readonly target: RegExp;
	/** A clause with its own subject. */
	readonly subject: RegExp;
	/** A report, no matter to whom: things that are counted and that no assistant acts on. */
	readonly report: RegExp;
}
