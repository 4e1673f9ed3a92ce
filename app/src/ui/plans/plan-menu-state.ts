import type { Plan } from "@xworkmate/contracts";
import { Store } from "../connection/store.ts";

export interface OpenPlanMenu {
	readonly plan: Plan;
	/** The button that opened the menu. The menu is attached to it. */
	readonly button: HTMLElement;
	readonly isOpen: boolean;
}

/** There is one menu for the page. */
export const planMenu = new Store<OpenPlanMenu | undefined>(undefined);

/** Opens the menu of a plan at its button, to which the focus returns. */
export function openPlanMenu(plan: Plan, button: HTMLElement): void {
	planMenu.set({ plan, button, isOpen: true });
}
