import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** Nearer than this to the end counts as at the end. */
const NEAR_PX = 48;

export interface FollowScroll {
	readonly scroll: RefObject<HTMLDivElement | null>;
	readonly content: RefObject<HTMLDivElement | null>;
	/** Something came that is out of sight below. */
	readonly isBelow: boolean;
	onScroll(): void;
	toEnd(): void;
}

/**
 * Stays at the end while the person is there, and moves nothing while they read further up. `isLive` = a turn is under
 * way: what grows without one is what the person opens, and no news.
 */
export function useFollowScroll(isLive: boolean): FollowScroll {
	const live = useRef(isLive);
	const scroll = useRef<HTMLDivElement>(null);
	const content = useRef<HTMLDivElement>(null);
	const isAtEnd = useRef(true);
	const [isBelow, setBelow] = useState(false);
	useEffect(() => {
		// How it ended comes with the end.
		if (live.current && !isLive && !isAtEnd.current) setBelow(true);
		live.current = isLive;
	}, [isLive]);
	const toEnd = useCallback(() => {
		const box = scroll.current;
		if (box === null) return;
		isAtEnd.current = true;
		box.scrollTop = box.scrollHeight;
		setBelow(false);
	}, []);
	const onScroll = useCallback(() => {
		const box = scroll.current;
		if (box === null) return;
		isAtEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
		if (isAtEnd.current) setBelow(false);
	}, []);
	useEffect(() => {
		const box = scroll.current;
		const inner = content.current;
		if (box === null || inner === null) return;
		let height = inner.scrollHeight;
		const watcher = new ResizeObserver(() => {
			const grew = inner.scrollHeight > height;
			height = inner.scrollHeight;
			if (isAtEnd.current) box.scrollTop = box.scrollHeight;
			else if (grew && live.current) setBelow(true);
		});
		watcher.observe(inner);
		watcher.observe(box);
		// A row opens downward: who opens one at the end wants to read it from its begin.
		const opens = ({ target }: Event) => {
			if (target instanceof Element && target.closest("summary") !== null) isAtEnd.current = false;
		};
		inner.addEventListener("click", opens);
		return () => {
			watcher.disconnect();
			inner.removeEventListener("click", opens);
		};
	}, []);
	return { scroll, content, isBelow, onScroll, toEnd };
}
