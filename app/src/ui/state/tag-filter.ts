import type { ThreadSummary } from "../../api/ui-api.ts";
import { foldText } from "../../threads/domain/folded-text.ts";
import { Store } from "../connection/store.ts";

/** The tag that the list of threads is narrowed to; undefined for all threads. */
export const tagFilter = new Store<string | undefined>(undefined);

/** The threads that have a tag, ignoring case and accents. Without a tag, or with a tag that no thread has now, all threads. */
export function withTag(threads: readonly ThreadSummary[], tag: string | undefined): readonly ThreadSummary[] {
	if (tag === undefined) return threads;
	const wanted = foldText(tag);
	const some = threads.filter(({ tags }) => tags?.some((own) => foldText(own) === wanted));
	return some.length === 0 ? threads : some;
}

/** The tag that narrows these threads; undefined if none is chosen, or if no thread has the chosen one now. */
export function narrowingTag(threads: readonly ThreadSummary[], tag: string | undefined): string | undefined {
	return withTag(threads, tag) === threads ? undefined : tag;
}

/** Every tag once, spelled as in the newest thread that has it, in alphabetical order. */
export function tagsOf(threads: readonly ThreadSummary[]): readonly string[] {
	const tags = new Map<string, string>();
	for (const tag of threads.flatMap(({ tags: own = [] }) => own)) if (!tags.has(foldText(tag))) tags.set(foldText(tag), tag);
	return [...tags.values()].sort((one, other) => one.localeCompare(other));
}
