import { Menu } from "@base-ui/react/menu";
import { ChevronDown, Download } from "lucide-react";
import { archiveRoute } from "../../api/ui-routes.ts";
import { archiveWords } from "../../strings/files/archive-words.ts";
import { fill, words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { downloadArchive } from "./download-archive.ts";

interface ArchiveMenuProps {
	readonly threadId: string;
	/** The run whose files are downloaded; its button is only an icon. Absent for the files of the whole thread. */
	readonly run?: { readonly runId: string; readonly time: string };
}

/** Downloads all files of a thread, or of one of its runs, as one archive. */
export function ArchiveMenu({ threadId, run }: ArchiveMenuProps) {
	const name = run === undefined ? words.files.all : fill(words.files.allOf, { time: run.time });
	const title = fill(run === undefined ? archiveWords.ofThread : archiveWords.ofRun, { name });
	const archive = { threadId, ...(run && { runId: run.runId }) };
	return (
		<Menu.Root>
			<Menu.Trigger className={run === undefined ? "btn quiet" : "ib"} aria-label={name} title={title}>
				<Icon of={Download} />
				{run === undefined && <span className="vh-n vh-p">{words.files.all}</span>}
				{run === undefined && <Icon of={ChevronDown} small />}
			</Menu.Trigger>
			<Menu.Portal container={document.querySelector<HTMLElement>(".frame")}>
				<Menu.Positioner className="pop-layer" align="end" sideOffset={4}>
					<Menu.Popup className="pop menu">
						{(["zip", "tar"] as const).map((format) => (
							<Menu.LinkItem
								key={format}
								className="menu-item"
								href={archiveRoute(threadId, run?.runId, format)}
								download
								closeOnClick
								onClick={(event) => {
									event.preventDefault();
									void downloadArchive({ ...archive, format });
								}}
							>
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
