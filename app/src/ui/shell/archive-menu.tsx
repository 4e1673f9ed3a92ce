import { Menu } from "@base-ui/react/menu";
import { ChevronDown, Download } from "lucide-react";
import { archiveRoute } from "../../core/ui-routes.ts";
import { Icon } from "../parts/icon.tsx";
import { fill, words } from "../words/interface.ts";

interface ArchiveMenuProps {
	readonly threadId: string;
	readonly runId: string;
	/** When its run was, for an earlier one: the button shows its picture alone. */
	readonly earlier?: string;
}

/** All files of a run that are on this disk, as one download. */
export function ArchiveMenu({ threadId, runId, earlier }: ArchiveMenuProps) {
	const name = earlier === undefined ? words.files.all : fill(words.files.allOf, { time: earlier });
	return (
		<Menu.Root>
			<Menu.Trigger className={earlier === undefined ? "btn quiet" : "ib"} aria-label={name}>
				<Icon of={Download} />
				{earlier === undefined && <span className="vh-n">{words.files.all}</span>}
				{earlier === undefined && <Icon of={ChevronDown} small />}
			</Menu.Trigger>
			<Menu.Portal container={document.querySelector<HTMLElement>(".frame")}>
				<Menu.Positioner className="pop-layer" align="end" sideOffset={4}>
					<Menu.Popup className="pop menu">
						{(["zip", "tar"] as const).map((format) => (
							<Menu.LinkItem key={format} className="menu-item" href={archiveRoute(threadId, runId, format)} download closeOnClick>
								<Icon of={Download} small />
								{words.files[format]}
							</Menu.LinkItem>
						))}
					</Menu.Popup>
				</Menu.Positioner>
			</Menu.Portal>
		</Menu.Root>
	);
}
