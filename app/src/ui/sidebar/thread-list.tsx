import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "../connection/store.ts";
import { preferences } from "../state/preferences.ts";
import { route, threadOf } from "../state/route.ts";
import { toggleArchived } from "../state/thread-actions.ts";
import type { ListedThread } from "../turn/thread-state.ts";
import { askRename } from "./asked-dialog.ts";
import { openThreadMenu } from "./thread-menu-button.tsx";
import { ThreadRow } from "./thread-row.tsx";

export interface ListedGroup {
	readonly title: string;
	readonly threads: readonly (ListedThread & { readonly excerpt?: string })[];
	/** True if there may be more threads than these. */
	readonly isFull?: boolean;
}

interface ThreadListProps {
	readonly groups: readonly ListedGroup[];
	/** The search text, which is highlighted in the rows. */
	readonly wanted?: string;
}

type Line = { readonly head: string; readonly count: string } | ListedGroup["threads"][number];

const HEAD_PX = 32;
const ROW_PX = 52;
const NARROW_ROW_PX = 60;

/**
 * Renders only the rows near the viewport, because there may be thousands. The list is a single Tab stop; Up, Down, Home, End and letters
 * move within it, and Right, Shift+F10 or the menu key opens a thread's menu.
 */
export function ThreadList({ groups, wanted }: ThreadListProps) {
	const lines = useMemo(() => linesOf(groups), [groups]);
	const scroll = useRef<HTMLDivElement>(null);
	const { singleKeys } = useStore(preferences);
	const here = useStore(route);
	const [focused, setFocused] = useState<string>();
	const open = threadOf(here);
	const stop = useMemo(() => stopOf(lines, focused, open), [lines, focused, open]);
	// The row with the Tab stop is always rendered, even if it is scrolled out of view.
	const rangeExtractor = useCallback(
		(range: Range) => {
			const near = defaultRangeExtractor(range);
			return stop === -1 || near.includes(stop) ? near : [...near, stop].sort((a, b) => a - b);
		},
		[stop],
	);
	// These functions do not change while the list scrolls, because a new `getItemKey` would cause the positions of all lines to be computed
	// again.
	const rowSize = (scroll.current?.closest(".frame")?.clientWidth ?? 1000) <= 760 ? NARROW_ROW_PX : ROW_PX;
	const estimateSize = useCallback(
		(index: number) => {
			const line = lines[index];
			return line === undefined || "head" in line ? HEAD_PX : rowSize;
		},
		[lines, rowSize],
	);
	// biome-ignore lint/correctness/useExhaustiveDependencies: rows of another size need new positions
	const getItemKey = useCallback(
		(index: number) => {
			const line = lines[index];
			if (line === undefined) return index;
			return "head" in line ? `head ${line.head}` : line.thread.threadId;
		},
		[lines, rowSize],
	);
	const rows = useVirtualizer({
		count: lines.length,
		getScrollElement: () => scroll.current,
		estimateSize,
		getItemKey,
		overscan: 12,
		rangeExtractor,
	});
	// The row that is to get the focus. A row out of view has to be rendered first; keys that are pressed in the meantime continue from it.
	const going = useRef<number>(undefined);
	const focusRow = (index: number) => {
		const line = lines[index];
		if (line === undefined || "head" in line) return false;
		rows.scrollToIndex(index);
		going.current = index;
		requestAnimationFrame(() => {
			if (going.current !== index) return;
			going.current = undefined;
			scroll.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`)?.focus();
		});
		return true;
	};
	const leaving = useRef<number>(undefined);
	// If the focused row was archived, its neighbor takes the focus, so that the keyboard continues from there.
	// biome-ignore lint/correctness/useExhaustiveDependencies: runs when the list becomes shorter
	useEffect(() => {
		const at = leaving.current;
		leaving.current = undefined;
		if (at !== undefined) focusRow(at) || focusRow(at + 1) || focusRow(at - 1);
	}, [lines.length]);
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.ctrlKey || event.altKey || event.metaKey || event.nativeEvent.isComposing) return;
		const at = going.current ?? Number((event.target as Element).closest("[data-index]")?.getAttribute("data-index") ?? -1);
		const line = lines[at];
		if (line === undefined || "head" in line) return;
		if (moved(event.key, at, lines.length, focusRow)) return event.preventDefault();
		if (event.key === "F2") askRename(line.thread);
		else if (event.key === "ArrowRight" || event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey))
			openThreadMenu(line.thread, event.currentTarget.querySelector<HTMLElement>(`[data-index="${at}"] a`));
		else if (singleKeys && event.key.toLowerCase() === "c") return;
		else if (singleKeys && event.key.toLowerCase() === "e") {
			leaving.current = at;
			toggleArchived(line.thread);
		} else if (event.key.length === 1 && event.key !== " ") {
			const next = findByLetter(lines, at, event.key);
			if (next === -1) return;
			focusRow(next);
		} else return;
		event.preventDefault();
	};
	const onFocus = ({ target }: FocusEvent) => setFocused(target.closest("[data-index]")?.querySelector("a")?.dataset.thread);
	// A right click, or a long press on a touch screen.
	const onContextMenu = (event: MouseEvent) => {
		const row = (event.target as Element).closest<HTMLElement>("[data-index]");
		const line = lines[Number(row?.dataset.index ?? -1)];
		if (row === null || line === undefined || "head" in line) return;
		event.preventDefault();
		openThreadMenu(line.thread, row.querySelector("a"));
	};
	return (
		<div className="groups" ref={scroll}>
			<ul className="virtual" style={{ height: rows.getTotalSize() }} onKeyDown={onKeyDown} onFocus={onFocus} onContextMenu={onContextMenu}>
				{rows.getVirtualItems().map(({ index, key, start, size }) => {
					const line = lines[index];
					if (line === undefined) return null;
					return (
						<li
							key={key}
							data-index={index}
							className={"head" in line ? "group" : "row"}
							style={{ transform: `translateY(${start}px)`, height: size }}
						>
							{"head" in line ? (
								<h2>
									{line.head} <span className="num">{line.count}</span>
								</h2>
							) : (
								<ThreadRow {...line} isStop={index === stop} {...(wanted !== undefined && { wanted })} />
							)}
						</li>
					);
				})}
			</ul>
		</div>
	);
}

function linesOf(groups: readonly ListedGroup[]): readonly Line[] {
	return groups.flatMap(({ title, threads, isFull }): readonly Line[] => [
		{ head: title, count: `${threads.length}${isFull ? "+" : ""}` },
		...threads,
	]);
}

/** Where Tab enters the list: at the row that last had the focus, otherwise at the open thread, otherwise at the first row. */
function stopOf(lines: readonly Line[], focused: string | undefined, open: string | undefined): number {
	const isOf = (threadId: string | undefined) => (line: Line) => !("head" in line) && line.thread.threadId === threadId;
	for (const threadId of [focused, open]) {
		const at = threadId === undefined ? -1 : lines.findIndex(isOf(threadId));
		if (at !== -1) return at;
	}
	return lines.findIndex((line) => !("head" in line));
}

function moved(key: string, at: number, count: number, focusRow: (index: number) => boolean): boolean {
	switch (key) {
		case "ArrowDown":
			return focusRow(at + 1) || focusRow(at + 2);
		case "ArrowUp":
			return focusRow(at - 1) || focusRow(at - 2);
		case "Home":
			return focusRow(1);
		case "End":
			return focusRow(count - 1);
		default:
			return false;
	}
}

function findByLetter(lines: readonly Line[], at: number, letter: string): number {
	const starts = (line: Line | undefined) =>
		line !== undefined && !("head" in line) && line.thread.title.toLowerCase().startsWith(letter.toLowerCase());
	for (let step = 1; step <= lines.length; step++) {
		const index = (at + step) % lines.length;
		if (starts(lines[index])) return index;
	}
	return -1;
}
