import type { DraftBody } from "./composed-message.ts";

/** The maximum number of texts from other windows that are kept beside the draft's own text. */
const KEPT = 10;

/**
 * The draft after a window wrote `draft` in place of its own earlier text, `over`. Text that another window wrote is kept: in `earlier`, or
 * as the draft's text if there is no new text. Without `over`, the existing text is replaced.
 */
export function replaceDraft(there: DraftBody | undefined, draft: Omit<DraftBody, "earlier">, over: string | undefined): DraftBody {
	const earlier = (there?.earlier ?? []).filter((words) => words !== over && !hasWords(draft.prompt, words));
	const isOwn = over === undefined || there === undefined || there.prompt === over || hasWords(draft.prompt, there.prompt);
	if (isOwn) return withEarlier(draft, earlier);
	if (draft.prompt.trim() === "") return withEarlier(there, earlier);
	return withEarlier(draft, [there.prompt, ...earlier].slice(0, KEPT));
}

/** The draft after a window sent `prompt`. Text from other windows is kept. */
export function sentFromDraft(there: DraftBody | undefined, prompt: string | undefined, updatedAt: string): DraftBody {
	const isOther = there !== undefined && prompt !== undefined && there.prompt !== prompt;
	const earlier = (there?.earlier ?? []).filter((words) => words !== prompt);
	return withEarlier(isOther ? there : { prompt: "", updatedAt }, earlier);
}

/**
 * True if a text still contains these words, because more was typed after them, or because text was added above or below them, separated by
 * an empty line. In that case, nothing is lost.
 */
export function hasWords(text: string, words: string): boolean {
	return text.startsWith(words) || `\n\n${text}\n\n`.includes(`\n\n${words}\n\n`);
}

/** If the draft has no text of its own, the newest text of another window becomes its text. */
function withEarlier({ earlier: _before, ...draft }: DraftBody, earlier: readonly string[]): DraftBody {
	const [prompt = "", ...rest] = draft.prompt.trim() === "" ? earlier : [draft.prompt, ...earlier];
	return { ...draft, prompt, ...(rest.length > 0 && { earlier: rest }) };
}
