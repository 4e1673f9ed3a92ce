import { Store } from "../connection/store.ts";

/** Whether the command palette is open. */
export const isPaletteOpen = new Store(false);

/** Not shown over another dialog, which would leave two things to close. */
export function togglePalette(): boolean {
	if (!isPaletteOpen.value && document.querySelector(".dialog, dialog[open]") !== null) return false;
	isPaletteOpen.set(!isPaletteOpen.value);
	return true;
}
