import type { TurnDetail } from "../../api/ui-api.ts";
import { Store } from "../connection/store.ts";

/** The user's message, or the answer to it. */
export interface MenuOf {
	readonly detail: TurnDetail;
	/** The answer's Markdown; absent: the menu is the message's. */
	readonly answer?: string;
}

export interface OpenMessageMenu extends MenuOf {
	/** The button that it belongs to, which gets the focus back. */
	readonly button: HTMLElement;
	/** Where the pointer opened it; absent: at the button. */
	readonly point?: { readonly x: number; readonly y: number };
	readonly isOpen: boolean;
}

/** One menu for the whole conversation. */
export const messageMenu = new Store<OpenMessageMenu | undefined>(undefined);
