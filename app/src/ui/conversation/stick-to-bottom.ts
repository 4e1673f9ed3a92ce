import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { EndFollow, type ScrollSizes } from "./end-follow.ts";
import { watchIntent } from "./scroll-intent.ts";
import { TallRequests } from "./tall-requests.ts";

export interface StickToBottom {
	readonly scroll: RefObject<HTMLDivElement | null>;
	readonly content: RefObject<HTMLDivElement | null>;
	/** True if new content has arrived below the visible part. */
	readonly isBelow: boolean;
	onScroll(): void;
	toEnd(): void;
	/** Stops following the end, because the page is moving the user elsewhere. */
	leaveEnd(): void;
}

/**
 * Keeps the box at its end while the user is there, and does not move the box while the user is reading further up. A request for approval
 * that is taller than the box is shown from its beginning, because the user must see what is asked before answering. `isLive`: a turn is in
 * progress. Otherwise, content grows only because the user opens something or an older turn is read, so the content is not new.
 */
export function useStickToBottom(isLive: boolean): StickToBottom {
	const live = useRef(isLive);
	const scroll = useRef<HTMLDivElement>(null);
	const content = useRef<HTMLDivElement>(null);
	const [end] = useState(() => new EndFollow());
	const [requests] = useState(() => new TallRequests());
	const [isBelow, setBelow] = useState(false);
	useLayoutEffect(() => {
		// When the turn has ended, its outcome is new content below the visible part.
		if (live.current && !isLive && !end.follows) setBelow(true);
		live.current = isLive;
	}, [isLive, end]);
	const toEnd = useCallback(() => {
		end.toEnd();
		setBelow(false);
		if (scroll.current !== null) follow(scroll.current, end, requests);
	}, [end, requests]);
	const leaveEnd = useCallback(() => end.leave(scroll.current?.scrollTop ?? 0), [end]);
	const onScroll = useCallback(() => {
		const box = scroll.current;
		if (box === null) return;
		const wasFollowing = end.follows;
		if (end.scrolled(sizesOf(box))) follow(box, end, requests);
		// A user who scrolls down to the answers of a request has passed its beginning.
		else if (!wasFollowing && end.follows) requests.passed(box);
		if (end.follows) setBelow(false);
	}, [end, requests]);
	useEffect(() => {
		const box = scroll.current;
		const inner = content.current;
		if (box === null || inner === null) return;
		let height = inner.scrollHeight;
		const watcher = new ResizeObserver(() => {
			const grew = inner.scrollHeight > height;
			height = inner.scrollHeight;
			if (end.resized(sizesOf(box), performance.now())) follow(box, end, requests);
			if (end.follows) setBelow(false);
			else if (grew && live.current) setBelow(true);
		});
		watcher.observe(inner);
		watcher.observe(box);
		const unwatch = watchIntent(box, end);
		return () => {
			watcher.disconnect();
			unwatch();
		};
	}, [end, requests]);
	return { scroll, content, isBelow, onScroll, toEnd, leaveEnd };
}

/** Moves the box to its end, or to the beginning of a new request that is taller than the box, whose answers are at the end. */
function follow(box: HTMLElement, end: EndFollow, requests: TallRequests): void {
	const beginning = requests.beginningOf(box);
	if (beginning === undefined) {
		putToEnd(box);
		return;
	}
	end.leave(beginning);
	box.scrollTop = beginning;
}

function putToEnd(box: HTMLElement): void {
	box.scrollTop = box.scrollHeight;
}

function sizesOf(box: HTMLElement): ScrollSizes {
	return { top: box.scrollTop, height: box.scrollHeight, seen: box.clientHeight };
}
