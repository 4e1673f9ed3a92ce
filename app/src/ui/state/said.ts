import { useCallback, useEffect, useRef, useState } from "react";

/** A text of the live region, which screen readers read when it appears. */
export interface Said {
	readonly id: number;
	readonly text: string;
}

/** Long enough for screen readers to have read the text. */
const SAID_MS = 5_000;

/**
 * The page's live region. Each announcement has its own element, so that a repeated text is read again and two announcements at the same
 * time are both read. Announcements are removed after a while, because a screen reader that reads the page later would present them as
 * current.
 */
export function useSaid(): { readonly said: readonly Said[]; announce(text: string): void } {
	const [said, setSaid] = useState<readonly Said[]>([]);
	const next = useRef(0);
	const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
	useEffect(() => {
		const { current } = timers;
		return () => {
			for (const timer of current) clearTimeout(timer);
		};
	}, []);
	const announce = useCallback((text: string) => {
		const id = next.current;
		next.current += 1;
		setSaid((before) => [...before, { id, text }]);
		const timer = setTimeout(() => {
			timers.current.delete(timer);
			setSaid((before) => before.filter((one) => one.id !== id));
		}, SAID_MS);
		timers.current.add(timer);
	}, []);
	return { said, announce };
}
