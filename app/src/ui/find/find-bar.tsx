import { ChevronDown, ChevronUp, Search, X } from "lucide-react";
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { fill } from "../../strings/interface.ts";
import { findWords } from "../../strings/threads/find-words.ts";
import { Icon } from "../components/icon.tsx";
import { useApp } from "../state/app-context.tsx";
import { focusComposer } from "../state/composer-focus.ts";
import { closeFind, type FindText, findText } from "../state/find-text.ts";
import { findHits, MOST_HITS } from "./find-hits.ts";
import { markHits, openFolds, showHit } from "./mark-hits.ts";

interface FindBarProps {
	readonly find: FindText;
	/** True if the whole thread is on the page. */
	readonly isAllRead: boolean;
	readonly scroll: RefObject<HTMLElement | null>;
	/** Stops the box from following its end. */
	leaveEnd(): void;
}

/** How long to wait before searching again, because streamed text changes the page many times a second. */
const AGAIN_MS = 150;
/** How long a result must stay unchanged before it is announced. */
const SETTLED_MS = 400;
/** The thread counts as rendered and searched once the page has not changed for this long, because long texts are rendered in parts. */
const QUIET_MS = 2 * AGAIN_MS;
/** After this long, the thread counts as rendered even if the page keeps changing, as it does while an agent is working. */
const LONGEST_MS = 2_000;
/** The longest text that the search accepts. */
const MAX_CHARACTERS = 200;

/** The field that searches the open thread. Its matches are marked, counted and shown one by one. */
export function FindBar({ find, isAllRead, scroll, leaveEnd }: FindBarProps) {
	const { threadId, text, isTyped } = find;
	const { announce } = useApp();
	const field = useRef<HTMLInputElement>(null);
	const { hits, at, step } = useHits(text, scroll, leaveEnd);
	const isAll = useIsSearched(isAllRead, scroll);
	const before = useRef<Element | null>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the field takes the focus again whenever the search is requested
	useEffect(() => {
		if (!isTyped) return;
		if (document.activeElement !== field.current) before.current = document.activeElement;
		field.current?.focus();
		field.current?.select();
	}, [isTyped, find]);
	const close = () => {
		closeFind(threadId);
		const { current } = before;
		if (current instanceof HTMLElement && current.isConnected && current !== document.body) current.focus();
		else focusComposer();
	};
	const many = hits >= MOST_HITS ? fill(findWords.atLeast, { count: MOST_HITS }) : String(hits);
	const none = isAll ? findWords.none : findWords.searching;
	const place = isAll ? findWords.place : findWords.placeSoFar;
	const said = text.trim() === "" ? "" : hits === 0 ? none : fill(place, { at: at + 1, all: many });
	useEffect(() => {
		if (said === "") return;
		// Right after a keystroke, the page still shows the result for the previous text.
		const timer = setTimeout(() => announce(said), SETTLED_MS);
		return () => clearTimeout(timer);
	}, [said, announce]);
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.nativeEvent.isComposing) return;
		if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
		else if (event.key === "Escape") close();
		else return;
		event.preventDefault();
	};
	return (
		<search className="find" aria-label={findWords.label}>
			<Icon of={Search} small />
			<input
				ref={field}
				type="search"
				enterKeyHint="next"
				maxLength={MAX_CHARACTERS}
				aria-label={findWords.label}
				placeholder={findWords.hint}
				value={text}
				onChange={(event) => findText.set({ ...find, text: event.target.value, isTyped: false })}
				onKeyDown={onKeyDown}
			/>
			<span className="muted num find-count">{said}</span>
			<button
				type="button"
				className="ib"
				aria-label={findWords.previous}
				title={findWords.previousKeys}
				disabled={hits === 0}
				onClick={() => step(-1)}
			>
				<Icon of={ChevronUp} />
			</button>
			<button
				type="button"
				className="ib"
				aria-label={findWords.next}
				title={findWords.nextKeys}
				disabled={hits === 0}
				onClick={() => step(1)}
			>
				<Icon of={ChevronDown} />
			</button>
			<button type="button" className="ib" aria-label={findWords.close} title={findWords.close} onClick={close}>
				<Icon of={X} />
			</button>
		</search>
	);
}

/** True once everything has been read, rendered and searched. */
function useIsSearched(isAllRead: boolean, scroll: RefObject<HTMLElement | null>): boolean {
	const [isSearched, setSearched] = useState(isAllRead);
	useEffect(() => {
		const box = scroll.current;
		if (!isAllRead) setSearched(false);
		if (!isAllRead || box === null) return;
		const end = () => setSearched(true);
		const latest = setTimeout(end, LONGEST_MS);
		let timer = setTimeout(end, QUIET_MS);
		const observer = new MutationObserver(() => {
			clearTimeout(timer);
			timer = setTimeout(end, QUIET_MS);
		});
		observer.observe(box, { childList: true, subtree: true, characterData: true });
		return () => {
			observer.disconnect();
			clearTimeout(timer);
			clearTimeout(latest);
		};
	}, [isAllRead, scroll]);
	return isAllRead && isSearched;
}

interface Hits {
	readonly hits: number;
	/** The index of the match that is shown, from 0. */
	readonly at: number;
	step(by: number): void;
}

/** The matches of a text in a box, updated when the box changes. The newest match is shown first, as in a conversation. */
function useHits(text: string, scroll: RefObject<HTMLElement | null>, leaveEnd: () => void): Hits {
	const ranges = useRef<readonly Range[]>([]);
	const place = useRef(0);
	const folds = useRef<readonly HTMLDetailsElement[]>([]);
	const [told, setTold] = useState({ hits: 0, at: 0 });
	const put = useCallback((at: number) => {
		const { length } = ranges.current;
		place.current = Math.max(0, Math.min(at, length - 1));
		markHits(ranges.current, ranges.current[place.current]);
		setTold({ hits: length, at: place.current });
	}, []);
	const show = useCallback(
		(at: number) => {
			put(at);
			const hit = ranges.current[place.current];
			if (hit === undefined || scroll.current === null) return;
			leaveEnd();
			// A row that was opened for another match is closed again. The rows of the last match stay open, because the user is reading them.
			const isLeft = (row: HTMLDetailsElement) => !row.contains(hit.startContainer);
			for (const row of folds.current.filter(isLeft)) row.open = false;
			folds.current = [...folds.current.filter((row) => !isLeft(row)), ...openFolds(hit)];
			showHit(scroll.current, hit);
		},
		[put, scroll, leaveEnd],
	);
	useEffect(() => {
		const box = scroll.current;
		if (box === null) return;
		const look = () => {
			const before = ranges.current[place.current];
			ranges.current = findHits(box, text);
			// Matches that appear later do not move the box while the user is reading another one, even if they come before it.
			if (before === undefined) show(ranges.current.length - 1);
			else put(placeOf(before, ranges.current) ?? place.current);
		};
		ranges.current = [];
		look();
		let timer: ReturnType<typeof setTimeout> | undefined;
		const observer = new MutationObserver(() => {
			timer ??= setTimeout(() => {
				timer = undefined;
				look();
			}, AGAIN_MS);
		});
		observer.observe(box, { childList: true, subtree: true, characterData: true });
		return () => {
			observer.disconnect();
			clearTimeout(timer);
			markHits([], undefined);
		};
	}, [text, scroll, show, put]);
	const step = (by: number) => {
		const { length } = ranges.current;
		if (length > 0) show((place.current + by + length) % length);
	};
	return { ...told, step };
}

/** The index of an earlier match among the current matches; undefined if its text is gone. */
function placeOf({ startContainer, startOffset }: Range, ranges: readonly Range[]): number | undefined {
	const at = ranges.findIndex((range) => range.startContainer === startContainer && range.startOffset === startOffset);
	return at === -1 ? undefined : at;
}
