/** The messages before a run's answer, in order, without those that are blank. */
export interface EarlierMessages {
	/** The last text may consist of several messages, separated by blank lines. */
	readonly texts: readonly string[];
	/** The length of all texts in UTF-16 units, counting two more for the break after each text. */
	readonly length: number;
}

/** How much of the messages is kept, in UTF-16 units. A message that does not fit is left out, and its claims are not checked. */
const KEPT = 256 * 1024;
/** How many texts are kept. An agent decides where a message ends, so later messages are added to the last text. */
const TEXTS = 200;
const BETWEEN = "\n\n";

export const noMessages: EarlierMessages = { texts: [], length: 0 };

/** Returns the messages with one more. Takes a limited time however many messages there are: at most `TEXTS` texts are copied. Pure. */
export function withMessage(earlier: EarlierMessages, text: string): EarlierMessages {
	const { texts } = earlier;
	const length = earlier.length + text.length + BETWEEN.length;
	if (length > KEPT) return earlier;
	if (texts.length < TEXTS) return { texts: [...texts, text], length };
	return { texts: [...texts.slice(0, -1), `${texts.at(-1)}${BETWEEN}${text}`], length };
}
