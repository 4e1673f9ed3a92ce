import { Store } from "../connection/store.ts";
import { preferences, setPreferences } from "./preferences.ts";

/** The text that the threads are searched for; "" shows the whole list. */
export const searchText = new Store("");

/** Focuses the sidebar's search field, after setting its text if `text` is given. */
export function focusSearch(text?: string): void {
	if (!preferences.value.sidebar) setPreferences({ sidebar: true });
	if (text !== undefined) searchText.set(text);
	requestAnimationFrame(() => document.querySelector<HTMLInputElement>("#search")?.focus());
}
