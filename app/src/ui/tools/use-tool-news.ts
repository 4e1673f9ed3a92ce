import { useEffect } from "react";
import { useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";

/**
 * Reads whenever contact with the app begins, and again when the tools have changed. Also reads when the user comes back to the page,
 * because an older bridge does not report changes.
 */
export function useToolNews(read: () => void): void {
	const { state, link } = useApp();
	const news = useStore(link.toolNews);
	// biome-ignore lint/correctness/useExhaustiveDependencies: read again with each change
	useEffect(() => {
		if (state !== "live") return;
		const again = () => {
			if (!document.hidden) read();
		};
		read();
		document.addEventListener("visibilitychange", again);
		addEventListener("focus", again);
		return () => {
			document.removeEventListener("visibilitychange", again);
			removeEventListener("focus", again);
		};
	}, [read, state, news]);
}
