import { startTransition, useEffect, useState } from "react";

/** How many items are rendered at first: more than fit on a tall screen. */
const FIRST = 30;
const MORE = 150;

/**
 * How many items of a long list are rendered: at first those in view, then more after each paint, until all are. The list is soon complete
 * for users who search it or have it read aloud, and the user does not have to wait for what is out of view.
 */
export function useGradually(count: number): number {
	const [rendered, setRendered] = useState(FIRST);
	useEffect(() => {
		if (rendered >= count) return;
		// In a transition, so that the results of the user's actions are rendered first.
		const timer = setTimeout(() => startTransition(() => setRendered(rendered + MORE)));
		return () => clearTimeout(timer);
	}, [rendered, count]);
	return Math.min(rendered, count);
}
