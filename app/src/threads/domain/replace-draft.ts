import type { DraftBody } from "./composed-message.ts";

/** The largest number of other windows' texts that are kept besides the draft's own. */
const KEPT = 10;

/**
 * The draft after a window wrote `draft` in place of its own text, `over`. Text that another window wrote is kept: in `earlier`
 * beside the new text, or as the draft if there is no new text. Absent `over` = the existing text is replaced.
 */
export function replaceDraft(there: DraftBody | undefined, draft: Omit<DraftBody, "earlier">, over: string | undefined): DraftBody {
	const earlier = (there?.earlier ?? []).filter((words) => words !== over && !hasWords(draft.prompt, words));
	const isOwn = over === undefined || there === undefined || there.prompt === over || hasWords(draft.prompt, there.prompt);
	if (isOwn) return withEarlier(draft, earlier);
	if (draft.prompt.trim() === "") return withEarlier(there, earlier);
	return withEarlier(draft, [there.prompt, ...earlier].slice(0, KEPT));
}

/** The draft after a window sent `prompt`: text of other windows is kept. */
export function sentFromDraft(there: DraftBody | undefined, prompt: string | undefined, updatedAt: string): DraftBody {
	const isOther = there !== undefined && prompt !== undefined && there.prompt !== prompt;
	const earlier = (there?.earlier ?? []).filter((words) => words !== prompt);
	return withEarlier(isOther ? there : { prompt: "", updatedAt }, earlier);
}

/**
 * Whether a text still contains these words, because it grew from them or they were added to it above or below an empty line, so
 * that nothing is lost.
 */
export function hasWords(text: string, words: string): boolean {
	return text.startsWith(words) || `\n\n${text}\n\n`.includes(`\n\n${words}\n\n`);
}

/** If a draft has no text of its own, the newest text of the others becomes its text. */
function withEarlier({ earlier: _before, ...draft }: DraftBody, earlier: readonly string[]): DraftBody {
	const [prompt = "", ...rest] = draft.prompt.trim() === "" ? earlier : [draft.prompt, ...earlier];
	return { ...draft, prompt, ...(rest.length > 0 && { earlier: rest }) };
}
