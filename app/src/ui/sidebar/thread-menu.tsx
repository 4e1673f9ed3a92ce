import { Menu } from "@base-ui/react/menu";
import { Archive, ArchiveRestore, Ellipsis, Pencil, Trash2 } from "lucide-react";
import type { ThreadSummary } from "../../api/ui-api.ts";
import { fill, words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { Store, useStore } from "../connection/store.ts";
import { toggleArchived } from "../state/thread-actions.ts";
import { visibleName } from "../text/visible-text.ts";
import { askDelete, askRename } from "./thread-dialogs.tsx";

interface OpenMenu {
	readonly thread: ThreadSummary;
	/** The button or row that opened it and that it is attached to. */
	readonly button: HTMLElement;
	/** A closed menu stays rendered until the next one opens, so that its closing animation is visible. */
	readonly isOpen: boolean;
}

/** One menu for the page: in a list of thousands, each row only has a button. */
const menu = new Store<OpenMenu | undefined>(undefined);

/** Opens the menu of a thread at its row; the focus returns there. */
export function openThreadMenu(thread: ThreadSummary, at: HTMLElement | null): void {
	if (at !== null) menu.set({ thread, button: at, isOpen: true });
}

interface ThreadMenuButtonProps {
	readonly thread: ThreadSummary;
	readonly label?: string;
	/** True in a list, where keys open the menu and the button is not a Tab stop. */
	readonly isInList?: boolean;
}

export function ThreadMenuButton({ thread, label, isInList = false }: ThreadMenuButtonProps) {
	const open = useStore(menu);
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
			onClick={(event) => menu.set({ thread, button: event.currentTarget, isOpen: true })}
		>
			<Icon of={Ellipsis} />
		</button>
	);
}

export function ThreadMenu() {
	const open = useStore(menu);
	if (open === undefined) return null;
	const { thread, button, isOpen } = open;
	const isArchived = thread.lifecycleStatus === "archived";
	return (
		<Menu.Root open={isOpen} onOpenChange={(is) => !is && menu.set({ ...open, isOpen: false })}>
			<Menu.Portal container={document.querySelector<HTMLElement>(".frame")}>
				<Menu.Positioner className="pop-layer" anchor={button} align="end" sideOffset={4}>
					<Menu.Popup
						className="pop menu"
						finalFocus={() => button}
						aria-label={fill(words.sidebar.more, { title: visibleName(thread.title) })}
					>
						<Menu.Item className="menu-item" onClick={() => askRename(thread)}>
							<Icon of={Pencil} small />
							{words.menu.rename}
							<span className="grow" />
							<kbd>F2</kbd>
						</Menu.Item>
						<Menu.Item className="menu-item" onClick={() => toggleArchived(thread)}>
							<Icon of={isArchived ? ArchiveRestore : Archive} small />
							{isArchived ? words.menu.restore : words.menu.archive}
							<span className="grow" />
							<kbd>E</kbd>
						</Menu.Item>
						<Menu.Separator className="menu-line" />
						<Menu.Item className="menu-item danger" onClick={() => askDelete(thread)}>
							<Icon of={Trash2} small />
							{words.menu.delete}
						</Menu.Item>
					</Menu.Popup>
				</Menu.Positioner>
			</Menu.Portal>
		</Menu.Root>
	);
}
