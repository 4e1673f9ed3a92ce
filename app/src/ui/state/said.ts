import { useCallback, useRef, useState } from "react";

/** The text of the live regions, which screen readers read when it appears. */
export interface Said {
	readonly polite: string;
	readonly assertive: string;
}

/** Long enough for every screen reader to have read the text. */
const SAID_MS = 5_000;

/**
 * The page's live regions. Announcements are removed after a while, because a screen reader that reads the page later would present them as
 * current.
 */
export function useSaid(): { readonly said: Said; announce(text: string, how: keyof Said): void } {
	const [said, setSaid] = useState<Said>({ polite: "", assertive: "" });
	const timers = useRef<Partial<Record<keyof Said, ReturnType<typeof setTimeout>>>>({});
	const announce = useCallback((text: string, how: keyof Said) => {
		setSaid((before) => ({ ...before, [how]: text }));
		clearTimeout(timers.current[how]);
		timers.current[how] = setTimeout(() => setSaid((before) => ({ ...before, [how]: "" })), SAID_MS);
	}, []);
	return { said, announce };
}
