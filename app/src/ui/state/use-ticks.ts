import { useEffect, useState } from "react";

/** Counts up every `everyMs` while the page is visible, and when it becomes visible: for reading what nobody reports the changes of. */
export function useTicks(everyMs: number): number {
	const [count, setCount] = useState(0);
	useEffect(() => {
		const tick = () => {
			if (document.visibilityState === "visible") setCount((before) => before + 1);
		};
		const timer = setInterval(tick, everyMs);
		document.addEventListener("visibilitychange", tick);
		return () => {
			clearInterval(timer);
			document.removeEventListener("visibilitychange", tick);
		};
	}, [everyMs]);
	return count;
}
