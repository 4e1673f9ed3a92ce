import { startTransition, useEffect, useState } from "react";

/** More than a tall screen shows. */
const FIRST = 30;
const MORE = 150;

/**
 * How many items of a long list are rendered: at first those that are in view, then more after each paint, until all are. The list is whole
 * soon for who searches it or reads it aloud, and no one waits for what is out of view.
 */
export function useGradually(count: number): number {
	const [rendered, setRendered] = useState(FIRST);
	useEffect(() => {
		if (rendered >= count) return;
		// What the user does meanwhile goes first.
		const timer = setTimeout(() => startTransition(() => setRendered(rendered + MORE)));
		return () => clearTimeout(timer);
	}, [rendered, count]);
	return Math.min(rendered, count);
}
