import { Menu } from "@base-ui/react/menu";
import { Archive, ArchiveRestore, ChartColumn, FileArchive, FileDown, Pencil, Pin, PinOff, Tag, TextSearch, Trash2 } from "lucide-react";
import { useEffect } from "react";
import { fill, words } from "../../strings/interface.ts";
import { menuWords } from "../../strings/threads/menu-words.ts";
import { Icon } from "../components/icon.tsx";
import { useStore } from "../connection/store.ts";
import { route } from "../state/route.ts";
import { toggleArchived, togglePinned } from "../state/thread-actions.ts";
import { exportThread, findIn } from "../state/thread-outputs.ts";
import { visibleName } from "../text/visible-text.ts";
import { askDelete, askRename, askTags, askUsage } from "./asked-dialog.ts";
import { threadMenu } from "./thread-menu-button.tsx";

export function ThreadMenu() {
	const open = useStore(threadMenu);
	// Closes when another page opens: the menu's button may be gone, and the menu would act on a thread that isn't shown.
	useEffect(() => route.subscribe(() => threadMenu.set(undefined)), []);
	if (open === undefined) return null;
	const { thread, button, isOpen } = open;
	const isArchived = thread.lifecycleStatus === "archived";
	return (
		<Menu.Root open={isOpen} onOpenChange={(is) => !is && threadMenu.set({ ...open, isOpen: false })}>
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
						<Menu.Item className="menu-item" onClick={() => togglePinned(thread)}>
							<Icon of={thread.pinnedAt === undefined ? Pin : PinOff} small />
							{thread.pinnedAt === undefined ? menuWords.pin : menuWords.unpin}
						</Menu.Item>
						<Menu.Item className="menu-item" onClick={() => askTags(thread)}>
							<Icon of={Tag} small />
							{menuWords.tags}
						</Menu.Item>
						<Menu.Item className="menu-item" onClick={() => findIn(thread)}>
							<Icon of={TextSearch} small />
							{menuWords.find}
						</Menu.Item>
						<Menu.Item className="menu-item" onClick={() => askUsage(thread)}>
							<Icon of={ChartColumn} small />
							{menuWords.usage}
						</Menu.Item>
						<Menu.Separator className="menu-line" />
						<Menu.Item className="menu-item" onClick={() => exportThread(thread, "md")}>
							<Icon of={FileDown} small />
							{menuWords.exportMarkdown}
						</Menu.Item>
						<Menu.Item className="menu-item" onClick={() => exportThread(thread, "zip")}>
							<Icon of={FileArchive} small />
							{menuWords.exportZip}
						</Menu.Item>
						<Menu.Separator className="menu-line" />
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
