import type { DraftBody } from "./composed-message.ts";

/** As many windows' words as are kept besides the draft's own. */
const KEPT = 10;

/**
 * The draft after a window wrote `draft` in place of its own words, `over`. What another window wrote stays: beside the
 * new words in `earlier`, or as the draft where there are no new ones. Absent `over` = whatever there was is replaced.
 */
export function replaceDraft(there: DraftBody | undefined, draft: Omit<DraftBody, "earlier">, over: string | undefined): DraftBody {
	const earlier = (there?.earlier ?? []).filter((words) => words !== over && !hasWords(draft.prompt, words));
	const isOwn = over === undefined || there === undefined || there.prompt === over || hasWords(draft.prompt, there.prompt);
	if (isOwn) return withEarlier(draft, earlier);
	if (draft.prompt.trim() === "") return withEarlier(there, earlier);
	return withEarlier(draft, [there.prompt, ...earlier].slice(0, KEPT));
}

/** The draft after a window sent `prompt`: what others wrote stays. */
export function sentFromDraft(there: DraftBody | undefined, prompt: string | undefined, updatedAt: string): DraftBody {
	const isOther = there !== undefined && prompt !== undefined && there.prompt !== prompt;
	const earlier = (there?.earlier ?? []).filter((words) => words !== prompt);
	return withEarlier(isOther ? there : { prompt: "", updatedAt }, earlier);
}

/** Whether a text has grown from these words, or they were added to it above or below an empty line: then nothing of them is lost. */
export function hasWords(text: string, words: string): boolean {
	return text.startsWith(words) || `\n\n${text}\n\n`.includes(`\n\n${words}\n\n`);
}

/** Where a draft has no words of its own, the newest of the others become its words. */
function withEarlier({ earlier: _before, ...draft }: DraftBody, earlier: readonly string[]): DraftBody {
	const [prompt = "", ...rest] = draft.prompt.trim() === "" ? earlier : [draft.prompt, ...earlier];
	return { ...draft, prompt, ...(rest.length > 0 && { earlier: rest }) };
}
