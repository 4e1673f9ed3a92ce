import type { Plan } from "@xworkmate/contracts";
import { Store } from "../connection/store.ts";

export interface OpenPlanMenu {
	readonly plan: Plan;
	/** The button that opened it and that it is attached to. */
	readonly button: HTMLElement;
	readonly isOpen: boolean;
}

/** One menu for the page. */
export const planMenu = new Store<OpenPlanMenu | undefined>(undefined);

/** Opens the menu of a plan at its button; the focus returns there. */
export function openPlanMenu(plan: Plan, button: HTMLElement): void {
	planMenu.set({ plan, button, isOpen: true });
}
