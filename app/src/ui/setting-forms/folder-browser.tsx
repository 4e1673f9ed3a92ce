import { ArrowUp, Folder, FolderPlus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { BrowsedFolder } from "../../api/setting-view.ts";
import { fill } from "../../strings/interface.ts";
import { settingFormWords as words } from "../../strings/setting-form-words.ts";
import { Icon } from "../components/icon.tsx";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { visibleName } from "../text/visible-text.ts";

interface FolderBrowserProps {
	readonly id: string;
	/** Adds the folder that is shown. */
	add(path: string): void;
	close(): void;
}

/**
 * Lets the user go through the folders of this computer. The focus is on the folder that is shown, so that Enter adds it and Tab leads into
 * it.
 */
export function FolderBrowser({ id, add, close }: FolderBrowserProps) {
	const [shown, setShown] = useState<BrowsedFolder>();
	const [problem, setProblem] = useState<string>();
	// While a folder is opened, the one before is still shown, and a press would add that one.
	const [isOpening, setOpening] = useState(true);
	const here = useRef<HTMLButtonElement>(null);
	const asked = useRef(0);
	const look = async (path?: string) => {
		asked.current += 1;
		const own = asked.current;
		setOpening(true);
		try {
			const found = await callApp("browseFolders", path === undefined ? {} : { path });
			if (own !== asked.current) return;
			setShown(found);
			setProblem(undefined);
		} catch (error) {
			if (own === asked.current) setProblem(sayError(error));
		} finally {
			if (own === asked.current) setOpening(false);
		}
	};
	// biome-ignore lint/correctness/useExhaustiveDependencies: begins once
	useEffect(() => {
		void look();
	}, []);
	// The button that was pressed is no longer on the page once another folder is shown.
	// biome-ignore lint/correctness/useExhaustiveDependencies: runs when another folder is shown
	useEffect(() => here.current?.focus(), [shown?.path]);
	const inside = (name: string) => `${shown?.path.replace(/\/$/, "")}/${name}`;
	const listed = shown?.folders.filter(({ isHidden }) => !isHidden) ?? [];
	const hidden = shown?.folders.filter(({ isHidden }) => isHidden) ?? [];
	const open = ({ name }: BrowsedFolder["folders"][number]) => (
		<li key={name}>
			<button type="button" className="opt" onClick={() => void look(inside(name))}>
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
						<button type="button" className="opt" onClick={() => void look(shown.parent)}>
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
