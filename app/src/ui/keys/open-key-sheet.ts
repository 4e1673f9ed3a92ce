import { Store } from "../connection/store.ts";

/** Whether the sheet of keyboard shortcuts is open. */
export const isKeySheetOpen = new Store(false);

export function openKeySheet(): void {
	isKeySheetOpen.set(true);
}
