import { Popover } from "@base-ui/react/popover";
import { ArrowUp, Folder, FolderOpen, X } from "lucide-react";
import { useEffect, useState } from "react";
import type { FolderListing } from "../../api/ui-api.ts";
import { words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { PickPopup } from "../components/pick-popup.tsx";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
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
	const [wanted, setWanted] = useState<{ readonly path?: string }>({});
	const [shown, setShown] = useState<{ readonly path?: string; readonly listings: readonly FolderListing[] }>();
	const [answered, setAnswered] = useState<object>();
	const [problem, setProblem] = useState<string>();
	useEffect(() => {
		let stale = false;
		const settle = (act: () => void) => {
			if (stale) return;
			act();
			setAnswered(wanted);
		};
		callApp("listFolders", wanted).then(
			(listings) =>
				settle(() => {
					setProblem(undefined);
					setShown({ ...wanted, listings });
				}),
			(error: unknown) => settle(() => setProblem(sayError(error))),
		);
		return () => {
			stale = true;
		};
	}, [wanted]);
	const listings = shown?.listings;
	// While a folder is opened, what is listed is still the one before, so a press would take that one.
	const isOpening = answered !== wanted;
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
						<button
							type="button"
							className="opt"
							aria-disabled={busy}
							onClick={whenOpen(() => setWanted(listing.parent === undefined ? {} : { path: listing.parent }))}
						>
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
							onClick={whenOpen(() => setWanted({ path: `${listing.path.replace(/\/$/, "")}/${name}` }))}
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
