import { useMemo } from "react";
import { fill, words } from "../../strings/interface.ts";
import { foldText } from "../../threads/domain/folded-text.ts";
import { useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";
import { tagFilter, tagsOf } from "../state/tag-filter.ts";
import { visibleName } from "../text/visible-text.ts";

/** The tags of all threads. Pressing a tag narrows the list to the threads that have it. */
export function TagFilter() {
	const { threads } = useApp().app;
	const chosen = useStore(tagFilter);
	const tags = useMemo(() => tagsOf(threads), [threads]);
	if (tags.length === 0) return null;
	return (
		<fieldset className="tags" aria-label={words.tags.label}>
			{tags.map((tag) => {
				const isChosen = chosen !== undefined && foldText(chosen) === foldText(tag);
				return (
					<button
						key={tag}
						type="button"
						className="tag"
						aria-pressed={isChosen}
						aria-label={fill(words.tags.tag, { tag: visibleName(tag) })}
						onClick={() => tagFilter.set(isChosen ? undefined : tag)}
					>
						{visibleName(tag)}
					</button>
				);
			})}
		</fieldset>
	);
}
