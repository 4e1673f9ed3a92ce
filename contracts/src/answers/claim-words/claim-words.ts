/**
 * What a language says an effect with: words and phrases in lower case, each list separated by spaces or, where an entry has several
 * words, by " | ". Data alone: `../claim-clauses.ts` has the rules.
 */
export interface ClaimWords {
	/** Who answers, alone or with its verb: "I", "we've", "he" of Spanish. */
	readonly self: string;
	/** Anyone else who may have done it. */
	readonly other: string;
	/** What says that something was done to a thing: "been", "was". */
	readonly passive: string;
	/** Effects that a file may be the proof of, as participles and in the past. */
	readonly made: string;
	/** All other effects. */
	readonly acted: string;
	/** Forms of the verb that say "I" themselves. */
	readonly selfDone: string;
	/** What denies, plans, offers, or says that it failed. */
	readonly off: string;
	/** What makes everything up to the next clause a condition. */
	readonly condition: string;
	/** What was read, so what is said after it was done by others. */
	readonly reading: string;
	/** What dates a thing before this run. */
	readonly past: string;
	/** Parts of the answer itself, which are there for everybody to see. */
	readonly text: string;
	/** Things that no file is, and that a heading names: "reminder", "email". */
	readonly thing: string;
	/** A participle right after one of these describes a thing: "the updated plan". */
	readonly determiner: string;
	/** What may come before a participle that begins a sentence. */
	readonly lead: string;
	/** What comes after a participle that begins or ends a heading: "sent to", "created the". */
	readonly after: string;
	readonly and: string;
	readonly but: string;
	/** "by", before who did it. */
	readonly by: string;
	/** Words that only help to tell the language. */
	readonly common: string;
	/** Claims without a participle, anywhere in a clause. */
	readonly phrases: string;
	/** Denials that deny nothing of the effect: "no problem". */
	readonly harmless: string;
	/** What an assistant acts on, beside `thing`, and what stands for it: "page", "it". A passive about anything else may be a report. */
	readonly target: string;
	/** What makes a thing the reader's or the writer's: "your". */
	readonly yours: string;
	/** Participles of effects on people, who have any name: "invited". */
	readonly told: string;
	/** After a participle, what begins a place or a time of a report: "charged in nine minutes". */
	readonly place: string;
	/** After `by`, what others begin with: "by the council", "by two scientists". */
	readonly team: string;
	/** Participles that say how a thing is, not what was done to it: "made of". */
	readonly describing: string;
}
