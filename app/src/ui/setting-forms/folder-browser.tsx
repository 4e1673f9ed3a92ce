import { ArrowUp, Folder, FolderPlus } from "lucide-react";
import { useEffect, useRef } from "react";
import type { BrowsedFolder } from "../../api/setting-view.ts";
import { fill } from "../../strings/interface.ts";
import { settingFormWords as words } from "../../strings/settings/setting-form-words.ts";
import { Icon } from "../components/icon.tsx";
import { callApp } from "../connection/call-app.ts";
import { useOpened } from "../state/use-opened.ts";
import { visibleName } from "../text/visible-text.ts";

interface FolderBrowserProps {
	readonly id: string;
	/** Adds the folder that is shown. */
	add(path: string): void;
	close(): void;
}

/**
 * Lets the user browse the folders of this computer. The focus is on the button that adds the folder that is shown, so that Enter adds it
 * and Tab moves on to its parent and its subfolders.
 */
export function FolderBrowser({ id, add, close }: FolderBrowserProps) {
	const { shown: opened, problem, isOpening, open: look } = useOpened((wanted) => callApp("browseFolders", wanted));
	const shown = opened?.found;
	const here = useRef<HTMLButtonElement>(null);
	// The focus is moved, because the pressed button is gone once another folder is shown.
	// biome-ignore lint/correctness/useExhaustiveDependencies: runs when another folder is shown
	useEffect(() => here.current?.focus(), [shown?.path]);
	const inside = (name: string) => `${shown?.path.replace(/\/$/, "")}/${name}`;
	const listed = shown?.folders.filter(({ isHidden }) => !isHidden) ?? [];
	const hidden = shown?.folders.filter(({ isHidden }) => isHidden) ?? [];
	const open = ({ name }: BrowsedFolder["folders"][number]) => (
		<li key={name}>
			<button type="button" className="opt" onClick={() => look(inside(name))}>
				<Icon of={Folder} small />
				<span className="cut">{visibleName(name)}</span>
			</button>
		</li>
	);
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: Escape closes it from wherever the focus is inside
		<div
			className="browse"
			id={id}
			onKeyDown={(event) => {
				if (event.key === "Escape") close();
			}}
		>
			{problem !== undefined && (
				<p className="err" role="alert">
					{problem}
				</p>
			)}
			{shown !== undefined && (
				<>
					<p className="wrap">
						<code>{visibleName(shown.path)}</code>
					</p>
					<button
						type="button"
						className="opt"
						ref={here}
						aria-label={fill(words.browseAdd, { path: visibleName(shown.path) })}
						aria-disabled={isOpening || undefined}
						onClick={() => isOpening || add(shown.path)}
					>
						<Icon of={FolderPlus} small />
						<span className="strong">{words.browseAddHere}</span>
					</button>
					{shown.parent !== undefined && (
						<button type="button" className="opt" onClick={() => look(shown.parent)}>
							<Icon of={ArrowUp} small />
							<span>{words.browseUp}</span>
						</button>
					)}
					{shown.folders.length === 0 && <p className="muted">{words.browseNone}</p>}
					<ul>{listed.map(open)}</ul>
					{hidden.length > 0 && (
						<details>
							<summary>{fill(words.browseHidden, { count: hidden.length })}</summary>
							<ul>{hidden.map(open)}</ul>
						</details>
					)}
					{shown.isCut && <p className="muted">{words.browseCut}</p>}
				</>
			)}
		</div>
	);
}
