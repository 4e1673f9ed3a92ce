import { Store } from "../connection/store.ts";
import { preferences, setPreferences } from "./preferences.ts";

/** What the threads are searched for; "" = the whole list is shown. */
export const searchText = new Store("");

/** Moves to the search field of the sidebar, with a text if there is one. */
export function focusSearch(text?: string): void {
	if (!preferences.value.sidebar) setPreferences({ sidebar: true });
	if (text !== undefined) searchText.set(text);
	requestAnimationFrame(() => document.querySelector<HTMLInputElement>("#search")?.focus());
}
