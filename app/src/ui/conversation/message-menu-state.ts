import type { TurnDetail } from "../../api/ui-api.ts";
import { Store } from "../connection/store.ts";

/** The user's message, or the answer to it. */
export interface MenuOf {
	readonly detail: TurnDetail;
	/** The answer's Markdown; absent for the menu of the message. */
	readonly answer?: string;
}

export interface OpenMessageMenu extends MenuOf {
	/** The button that the menu belongs to. It gets the focus when the menu closes. */
	readonly button: HTMLElement;
	/** Where the pointer was when it opened the menu; absent if the menu is at the button. */
	readonly point?: { readonly x: number; readonly y: number };
	readonly isOpen: boolean;
}

/** The open menu. There is one menu for the whole conversation. */
export const messageMenu = new Store<OpenMessageMenu | undefined>(undefined);
