import { Ellipsis } from "lucide-react";
import type { ThreadSummary } from "../../api/ui-api.ts";
import { fill, words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { Store, useStore } from "../connection/store.ts";
import { visibleName } from "../text/visible-text.ts";

export interface OpenMenu {
	readonly thread: ThreadSummary;
	/** The button or row that opened the menu. The menu is attached to it. */
	readonly button: HTMLElement;
	/** A closed menu stays rendered until the next one opens, so that its closing animation is visible. */
	readonly isOpen: boolean;
}

/** There is one menu for the page. In a list of thousands, each row only has a button. */
export const threadMenu = new Store<OpenMenu | undefined>(undefined);

/** Opens the menu of a thread at its row, to which the focus returns. */
export function openThreadMenu(thread: ThreadSummary, at: HTMLElement | null): void {
	if (at !== null) threadMenu.set({ thread, button: at, isOpen: true });
}

interface ThreadMenuButtonProps {
	readonly thread: ThreadSummary;
	readonly label?: string;
	/** True in a list, where a key opens the menu, so that the button is not a Tab stop. */
	readonly isInList?: boolean;
}

export function ThreadMenuButton({ thread, label, isInList = false }: ThreadMenuButtonProps) {
	const open = useStore(threadMenu);
	const isOpen = open?.isOpen === true && open.thread.threadId === thread.threadId;
	return (
		<button
			type="button"
			className="ib more"
			aria-label={label ?? fill(words.sidebar.more, { title: visibleName(thread.title) })}
			aria-haspopup="menu"
			{...(isInList && { tabIndex: -1 })}
			aria-expanded={isOpen}
			{...(isOpen && { "data-popup-open": "" })}
			onClick={(event) => threadMenu.set({ thread, button: event.currentTarget, isOpen: true })}
		>
			<Icon of={Ellipsis} />
		</button>
	);
}
