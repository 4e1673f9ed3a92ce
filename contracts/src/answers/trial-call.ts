/** Only where it describes the call: an event may be called "Dry run". */
const TRIAL = /\(dry[-_ ]?run\)|^(?:dry[-_ ]?run|simulat)|\bdry_run\b|--dry-run\b/iu;
const DRAFT = /draft/iu;
const SENT = /\bsen[dt]|[-_.]sen[dt]|\bsubmit/iu;

/** The words of a call that an agent reports and that is not a command; undefined if they say that it only shows what it would do. */
export function effectiveWords(words: string): string | undefined {
	return TRIAL.test(words) ? undefined : words;
}

/** Whether a call's words say that it wrote a draft of a message, which sends nothing. */
export function isDraft(words: string): boolean {
	return DRAFT.test(words) && !SENT.test(words);
}
