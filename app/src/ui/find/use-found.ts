import { useDeferredValue, useMemo } from "react";
import { findFolded } from "../../threads/domain/folded-text.ts";
import { useStore } from "../connection/store.ts";
import { findText } from "../state/find-text.ts";
import type { TurnItem } from "../turn/turn-view.ts";
import { itemTexts } from "./item-texts.ts";

/**
 * True if any of these folded items contains the text of the open search. The check is deferred, because a long run has thousands of rows,
 * and typing must not wait for them.
 */
export function useFound(items: readonly TurnItem[] | undefined): boolean {
	const wanted = useDeferredValue(useStore(findText)?.text ?? "");
	return useMemo(
		() =>
			wanted.trim() !== "" &&
			items !== undefined &&
			items.some((item) => itemTexts(item).some((text) => findFolded(text, wanted) !== undefined)),
		[wanted, items],
	);
}
