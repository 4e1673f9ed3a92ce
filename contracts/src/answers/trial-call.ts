/** Matches only where the words describe the call itself: an event may be called "Dry run". */
const TRIAL = /\(dry[-_ ]?run\)|^(?:dry[-_ ]?run|simulat)|\bdry_run\b|--dry-run\b/iu;
/** Kinds of calls whose words are the files that they change. */
const CHANGES_FILES = /:(?:edit|delete|move)$/;
/** "Draft" as a verb, or in the name of a tool: a mail may be about a draft. */
const DRAFT =
	/^(?:(?:create|save|write|update) )?(?:an? )?draft|(?:create|save|write|update)[-_]?drafts?|(?:^|\.)drafts?[._-]|draft[-_](?:e?mail|message)/iu;
const SENT = /\bsen[dt]|[-_.]sen[dt]|\bsubmit/iu;

/** The words of a call that an agent reports and that is not a command; undefined if they say that the call only shows what it would do. */
export function effectiveWords(toolId: string, words: string): string | undefined {
	return !CHANGES_FILES.test(toolId) && TRIAL.test(words) ? undefined : words;
}

/** Whether the words of a call that is not a command say that the call wrote a draft of a message, which sends nothing. */
export function isDraft(words: string): boolean {
	return DRAFT.test(words) && !SENT.test(words);
}
