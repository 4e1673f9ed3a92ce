import { useEffect } from "react";
import { useApp } from "./app-context.tsx";

/**
 * Reads data whose changes are not reported: `everyMs` after the last read has settled while the page is visible, and when it becomes
 * visible. The pause begins when a read settles, not when it begins, so that the requests to a slow app do not pile up.
 * @param settled changes each time that a read settles
 * @param read does nothing while a read is in progress
 */
export function useReadOften(everyMs: number, settled: number, read: () => void): void {
	const { state } = useApp();
	// biome-ignore lint/correctness/useExhaustiveDependencies: a new pause begins after each read
	useEffect(() => {
		if (state !== "live") return;
		const begin = () => {
			if (document.visibilityState === "visible") read();
		};
		const timer = setTimeout(begin, everyMs);
		document.addEventListener("visibilitychange", begin);
		return () => {
			clearTimeout(timer);
			document.removeEventListener("visibilitychange", begin);
		};
	}, [everyMs, state, settled, read]);
}
