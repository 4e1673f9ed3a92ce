import { foldText } from "./folded-text.ts";

const MOST_TAGS = 20;
const TAG_CHARACTERS = 40;
/** Characters that a tag must not contain. A comma separates tags where the user types them. */
const NEVER = /[,\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;

/** Why these cannot be a thread's tags; undefined if they can. Characters that hide or reorder text are rejected, not removed. */
export function tagProblem(tags: readonly string[]): string | undefined {
	if (tags.length > MOST_TAGS) return `A thread can have at most ${MOST_TAGS} tags.`;
	if (tags.some((tag) => [...tag].length > TAG_CHARACTERS)) return `A tag can have at most ${TAG_CHARACTERS} characters.`;
	if (tags.some((tag) => tag === "" || tag.trim() !== tag || NEVER.test(tag)))
		return "A tag must be visible text without commas or surrounding spaces.";
	if (new Set(tags.map(foldText)).size < tags.length) return "Two of these tags are the same. Case and accents are ignored.";
	return undefined;
}
