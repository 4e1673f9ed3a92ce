import { Popover } from "@base-ui/react/popover";
import { ArrowUp, Folder, FolderOpen, X } from "lucide-react";
import { useState } from "react";
import { words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { PickPopup } from "../components/pick-popup.tsx";
import { callApp } from "../connection/call-app.ts";
import { useOpened } from "../state/use-opened.ts";
import { visibleName } from "../text/visible-text.ts";

interface FolderPickerProps {
	readonly folder?: string;
	choose(folder: string | undefined): void;
}

/** Lets the user choose a project folder under the allowed roots; without one, the run works in the thread's own folder. */
export function FolderPicker({ folder, choose }: FolderPickerProps) {
	const [isOpen, setOpen] = useState(false);
	const take = (path: string | undefined) => {
		choose(path);
		setOpen(false);
	};
	const name = folder === undefined ? undefined : visibleName(folder.split(/[\\/]/).findLast((part) => part !== "") ?? folder);
	return (
		<Popover.Root open={isOpen} onOpenChange={setOpen}>
			<Popover.Trigger className="btn quiet tool" title={folder ?? words.composer.folderOwn} data-set={name !== undefined}>
				<Icon of={Folder} />
				<span className="tool-label cut">
					{name !== undefined && <span className="vh">{words.composer.folder}: </span>}
					{name ?? words.composer.folder}
				</span>
			</Popover.Trigger>
			<PickPopup label={words.composer.folderPick}>{isOpen && <Folders folder={folder} take={take} />}</PickPopup>
		</Popover.Root>
	);
}

function Folders({ folder, take }: { readonly folder: string | undefined; take(path: string | undefined): void }) {
	const { shown, problem, isOpening, open } = useOpened((wanted) => callApp("listFolders", wanted));
	const listings = shown?.found;
	const whenOpen = (act: () => void) => () => isOpening || act();
	const busy = isOpening || undefined;
	return (
		<div className="folders">
			<button type="button" className="opt" onClick={() => take(undefined)}>
				<Icon of={X} small />
				<span>{words.composer.folderOwn}</span>
			</button>
			{problem !== undefined && <p className="st st-bad small wrap opt-say">{problem}</p>}
			{listings?.length === 0 && <p className="muted opt-say wrap">{words.composer.folderNone}</p>}
			{listings?.map((listing) => (
				<div key={listing.path}>
					<h4 className="wrap">{visibleName(listing.path)}</h4>
					{shown?.path !== undefined && (
						<button type="button" className="opt" aria-disabled={busy} onClick={whenOpen(() => open(listing.parent))}>
							<Icon of={ArrowUp} small />
							<span>{words.composer.folderUp}</span>
						</button>
					)}
					<button
						type="button"
						className="opt"
						aria-current={folder === listing.path ? "true" : undefined}
						aria-disabled={busy}
						onClick={whenOpen(() => take(listing.path))}
					>
						<Icon of={FolderOpen} small />
						<span className="strong">{words.composer.folderUse}</span>
					</button>
					{listing.folders.map((name) => (
						<button
							type="button"
							className="opt"
							key={name}
							aria-disabled={busy}
							onClick={whenOpen(() => open(`${listing.path.replace(/\/$/, "")}/${name}`))}
						>
							<Icon of={Folder} small />
							<span className="cut">{visibleName(name)}</span>
						</button>
					))}
				</div>
			))}
		</div>
	);
}
