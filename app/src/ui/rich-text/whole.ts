import { useStore } from "../connection/store.ts";
import { findText } from "../state/find-text.ts";
import { usePrinting } from "./printing.ts";

/** True while folded content is shown in full: on paper, which has no buttons, and while the user searches the thread. */
export function useWhole(): boolean {
	const find = useStore(findText);
	return usePrinting() || (find !== undefined && find.text.trim() !== "");
}
