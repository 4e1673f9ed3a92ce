/** What a language without spaces says an effect with, over one clause. Data alone. */
export interface UnspacedClaims {
	/** Says that it is done, somewhere before a verb of `verb`. */
	readonly mark?: RegExp;
	readonly verb?: RegExp;
	readonly claims: readonly RegExp[];
	/** Effects that a file may be the proof of. */
	readonly made: RegExp;
	/** Things that no file is. */
	readonly thing: RegExp;
	/** What denies, plans, offers, or says that it failed. */
	readonly off: RegExp;
	/** Others did it, or it was read. */
	readonly other: RegExp;
	/** What an assistant acts on, beside `thing`, and who it speaks of: "文章", "您的". */
	readonly target: RegExp;
	/** A clause with a subject of its own. */
	readonly subject: RegExp;
	/** A report, whoever reads it: things that are counted and that no assistant acts on. */
	readonly report: RegExp;
}
