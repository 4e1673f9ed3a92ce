import { Store } from "../connection/store.ts";

/** Whether the command palette is open. */
export const isPaletteOpen = new Store(false);

/** Opens or closes the palette. It does not open over another dialog, because the user would then have to close both. */
export function togglePalette(): boolean {
	if (!isPaletteOpen.value && document.querySelector(".dialog, dialog[open]") !== null) return false;
	isPaletteOpen.set(!isPaletteOpen.value);
	return true;
}
