import { Dialog } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { count, fill } from "../../strings/interface.ts";
import { paletteWords } from "../../strings/page/palette-words.ts";
import { Icon } from "../components/icon.tsx";
import { useStore } from "../connection/store.ts";
import { KeyCaps } from "../keys/key-caps.tsx";
import { isPaletteOpen } from "../keys/open-palette.ts";
import { useApp, useProviders } from "../state/app-context.tsx";
import { preferences } from "../state/preferences.ts";
import { route } from "../state/route.ts";
import { isSingleKey } from "../text/key-names.ts";
import { rankEntries } from "../text/rank-entries.ts";
import { visibleName } from "../text/visible-text.ts";
import { type Entry, paletteEntries, searchEntry } from "./palette-entries.ts";

/** The maximum number of entries shown, more than a user reads. Typing another word narrows the list. */
const SHOWN = 50;
const PAGE = 8;
/** The longest text that the app's search accepts. */
const MAX_CHARACTERS = 200;

/**
 * Finds commands, threads and agents by name. Everything can be done by keyboard. If nothing was chosen, the focus returns to where it was.
 */
export function Palette() {
	const isOpen = useStore(isPaletteOpen);
	const chosen = useRef<Entry>(undefined);
	const isChosen = useRef(false);
	if (isOpen) isChosen.current = false;
	const choose = (entry: Entry) => {
		chosen.current = entry;
		isChosen.current = true;
		isPaletteOpen.set(false);
	};
	return (
		<Dialog.Root
			open={isOpen}
			onOpenChange={(is) => isPaletteOpen.set(is)}
			onOpenChangeComplete={(is) => {
				const entry = chosen.current;
				chosen.current = undefined;
				if (!is) entry?.act();
			}}
		>
			<Dialog.Portal container={document.querySelector<HTMLElement>(".frame")}>
				<Dialog.Backdrop className="scrim" />
				{/* The chosen command may move the focus itself, before or after the palette is closed. */}
				<Dialog.Popup className="dialog palette" aria-label={paletteWords.label} finalFocus={() => !isChosen.current}>
					<PaletteList choose={choose} />
				</Dialog.Popup>
			</Dialog.Portal>
		</Dialog.Root>
	);
}

function PaletteList({ choose }: { choose(entry: Entry): void }) {
	const { app, announce } = useApp();
	const providers = useProviders();
	const here = useStore(route);
	const [text, setText] = useState("");
	const [at, setAt] = useState(0);
	const list = useId();
	const all = useMemo(() => paletteEntries({ app, here, providers }), [app, here, providers]);
	const entries = useMemo(() => {
		const wanted = text.trim();
		const found = rankEntries(wanted, all).slice(0, SHOWN);
		return wanted === "" ? found : [...found, searchEntry(wanted)];
	}, [text, all]);
	const current = Math.min(at, entries.length - 1);
	const isNone = text.trim() !== "" && entries.length === 1;
	const none = fill(paletteWords.none, { text: visibleName(text.trim()) });
	const said = text.trim() === "" ? undefined : isNone ? none : count(entries.length - 1, "result");
	useEffect(() => {
		if (said !== undefined) announce(said);
	}, [said, announce]);
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.nativeEvent.isComposing || event.altKey || event.shiftKey) return;
		const entry = entries[current];
		const to = movedTo(event, current, entries.length);
		if (to !== undefined) setAt(to);
		else if (event.key === "Enter" && entry !== undefined) choose(entry);
		else return;
		event.preventDefault();
	};
	return (
		<>
			<div className="palette-field">
				<Icon of={Search} />
				<input
					type="text"
					role="combobox"
					aria-expanded="true"
					aria-controls={list}
					aria-activedescendant={`${list}-${current}`}
					aria-autocomplete="list"
					aria-label={paletteWords.field}
					autoComplete="off"
					spellCheck={false}
					maxLength={MAX_CHARACTERS}
					placeholder={paletteWords.hint}
					value={text}
					onChange={(event) => {
						setText(event.target.value);
						setAt(0);
					}}
					onKeyDown={onKeyDown}
				/>
			</div>
			{isNone && <p className="palette-none muted">{none}</p>}
			<div className="palette-list" role="listbox" id={list} aria-label={paletteWords.results}>
				{entries.map((entry, index) => (
					<Line
						key={entry.key}
						id={`${list}-${index}`}
						entry={entry}
						isCurrent={index === current}
						point={() => setAt(index)}
						choose={choose}
					/>
				))}
			</div>
		</>
	);
}

interface LineProps {
	readonly id: string;
	readonly entry: Entry;
	readonly isCurrent: boolean;
	point(): void;
	choose(entry: Entry): void;
}

function Line({ id, entry, isCurrent, point, choose }: LineProps) {
	const { singleKeys } = useStore(preferences);
	const line = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (isCurrent) line.current?.scrollIntoView({ block: "nearest" });
	}, [isCurrent]);
	const { text, kind, icon, chord } = entry;
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled in the field, which keeps the focus
		<div
			ref={line}
			id={id}
			role="option"
			tabIndex={-1}
			aria-selected={isCurrent}
			className="palette-line"
			// A pointer that happens to rest where the list opens does not select an entry.
			onPointerMove={point}
			onMouseDown={(event) => event.preventDefault()}
			onClick={() => choose(entry)}
		>
			<Icon of={icon} small />
			<span className="cut">{text}</span>
			<span className="grow" />
			<span className="muted small">{kind}</span>
			{chord !== undefined && (singleKeys || !isSingleKey(chord)) && <KeyCaps chord={chord} />}
		</div>
	);
}

/** The entry that a key moves to. With the arrow keys, the first entry follows the last. Ctrl+N and Ctrl+P are left to the browser. */
function movedTo({ key, ctrlKey, metaKey }: KeyboardEvent, at: number, length: number): number | undefined {
	if (length === 0 || ctrlKey || metaKey) return undefined;
	switch (key) {
		case "ArrowDown":
			return (at + 1) % length;
		case "ArrowUp":
			return (at + length - 1) % length;
		case "PageDown":
			return Math.min(at + PAGE, length - 1);
		case "PageUp":
			return Math.max(at - PAGE, 0);
		default:
			return undefined;
	}
}
