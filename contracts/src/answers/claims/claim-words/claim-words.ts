/**
 * The words with which a language states an effect: words and phrases in lower case. The entries of a list are separated by spaces, or by "
 * | " where entries have several words. Data only: the rules are in `../claim-rules.ts`.
 */
export interface ClaimWords {
	/** The writer of the answer, alone or joined to a verb: "I", "we've", Spanish "he". */
	readonly self: string;
	/** Words for anyone else who may have caused an effect. */
	readonly other: string;
	/** Words that form a passive: "been", "was". */
	readonly passive: string;
	/** Effects that a file can prove, as participles and in the past tense. */
	readonly made: string;
	/** All other effects. */
	readonly acted: string;
	/**
	 * Effects that count only if the writer claims to have caused them, because they are often ascribed to others: "I opened", "I ran". The
	 * rest of the clause decides too, see `../own-acts.ts`.
	 */
	readonly own: string;
	/** Verb forms that include "I". */
	readonly selfDone: string;
	/** Words that deny, plan or offer, or that report a failure. */
	readonly off: string;
	/** Words that turn everything up to the next clause into a condition. */
	readonly condition: string;
	/** Words for reading something: what follows was done by others. */
	readonly reading: string;
	/**
	 * Words that refer to a time other than this run or to what usually happens, so that the sentence claims nothing about this run:
	 * “yesterday”, “next”, “usually”.
	 */
	readonly past: string;
	/** Parts of the answer itself, which the reader can see anyway. */
	readonly text: string;
	/** Things that a heading may name. A claim that mentions one is not taken to be about a file: "reminder", "email". */
	readonly thing: string;
	/** A participle right after one of these describes a thing: "the updated plan". */
	readonly determiner: string;
	/** Words that may precede a participle at the beginning of a sentence. */
	readonly lead: string;
	/** Words that follow a participle at the beginning or the end of a heading: "sent to", "created the". */
	readonly after: string;
	readonly and: string;
	readonly but: string;
	/** "by", before the person or thing that did it. */
	readonly by: string;
	/** Common words that only help to recognize the language. */
	readonly common: string;
	/** Claims without a participle, anywhere in a clause. */
	readonly phrases: string;
	/** Denials that do not deny the effect: "no problem". */
	readonly harmless: string;
	/**
	 * More words for what an assistant acts on, in addition to `thing`, and pronouns for it: "page", "it". A passive sentence about anything
	 * else may report what others did.
	 */
	readonly target: string;
	/** Words that make a thing the reader's or the writer's: "your". */
	readonly yours: string;
	/** Participles for actions on people, such as "invited". Their objects can't be listed, because a name can be any word. */
	readonly told: string;
	/** Words that introduce a place or time after a participle in a report: "charged in nine minutes". */
	readonly place: string;
	/** Words that introduce someone else's name after `by`: "by the council", "by two scientists". */
	readonly team: string;
	/** Participles that describe a thing rather than say what was done to it: "made of". */
	readonly describing: string;
}
