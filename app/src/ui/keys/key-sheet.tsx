import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { keySheetWords } from "../../strings/page/key-words.ts";
import { settingsPageWords } from "../../strings/settings/settings-page-words.ts";
import { Icon } from "../components/icon.tsx";
import { useStore } from "../connection/store.ts";
import { KeyList } from "./key-list.tsx";
import { isKeySheetOpen } from "./open-key-sheet.ts";

/** The keyboard shortcuts in a dialog over the page. */
export function KeySheet() {
	const open = useStore(isKeySheetOpen);
	return (
		<Dialog.Root open={open} onOpenChange={(next) => isKeySheetOpen.set(next)}>
			<Dialog.Portal container={document.querySelector<HTMLElement>(".frame")}>
				<Dialog.Backdrop className="scrim" />
				<Dialog.Popup className="dialog sheet">
					<header className="flex">
						<Dialog.Title className="dialog-title">{settingsPageWords.shortcuts}</Dialog.Title>
						<span className="grow" />
						<Dialog.Close className="ib" aria-label={keySheetWords.close}>
							<Icon of={X} />
						</Dialog.Close>
					</header>
					{/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list must be scrollable by keyboard */}
					<section className="sheet-body" tabIndex={0} aria-label={settingsPageWords.shortcuts}>
						<KeyList />
					</section>
				</Dialog.Popup>
			</Dialog.Portal>
		</Dialog.Root>
	);
}
