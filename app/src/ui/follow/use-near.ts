import { useEffect, useState } from "react";

/** About one screen ahead, so that content is usually there when the user scrolls to it. */
const AHEAD = "1000px";

/** True once the element has been near the viewport. */
export function useNear(box: { readonly current: Element | null }): boolean {
	const [isNear, setNear] = useState(false);
	useEffect(() => {
		const { current } = box;
		if (current === null || isNear) return;
		// The margin applies to the observer's root, so the root has to be the element that scrolls.
		const root = current.closest(".scroll");
		const see = (entries: readonly IntersectionObserverEntry[]) => entries.some((entry) => entry.isIntersecting) && setNear(true);
		const watcher = new IntersectionObserver(see, { root, rootMargin: AHEAD });
		watcher.observe(current);
		return () => watcher.disconnect();
	}, [box, isNear]);
	return isNear;
}
