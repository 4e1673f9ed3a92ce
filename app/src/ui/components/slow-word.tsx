import { useEffect, useState } from "react";

/** Nothing is shown for a wait shorter than this. */
const SLOW_MS = 1_000;

/**
 * Says what the page is waiting for, once the wait exceeds a second. The live region exists from the start, so that screen readers announce
 * the word.
 */
export function SlowWord({ word }: { readonly word: string }) {
	const [isSlow, setSlow] = useState(false);
	useEffect(() => {
		const timer = setTimeout(() => setSlow(true), SLOW_MS);
		return () => clearTimeout(timer);
	}, []);
	return <output className="muted slow-word">{isSlow && word}</output>;
}
