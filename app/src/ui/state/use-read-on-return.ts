import { useEffect } from "react";
import { useConnection } from "./use-connection.ts";

/** The browser reports a return to the tab twice, as a change in its visibility and as focus. Events this close together are one return. */
const SAME_RETURN_MS = 300;

/**
 * Reads whenever the page connects to the app, and again when `news` or `read` changes. Also reads when the user comes back to the page,
 * because what was changed elsewhere may not have been reported.
 */
export function useReadOnReturn(read: () => void, news: unknown): void {
	const connection = useConnection();
	// biome-ignore lint/correctness/useExhaustiveDependencies: read again with each change
	useEffect(() => {
		if (connection === undefined) return;
		let returnedAt = Number.NEGATIVE_INFINITY;
		const again = ({ timeStamp }: Event) => {
			if (document.hidden || timeStamp - returnedAt < SAME_RETURN_MS) return;
			returnedAt = timeStamp;
			read();
		};
		read();
		document.addEventListener("visibilitychange", again);
		addEventListener("focus", again);
		return () => {
			document.removeEventListener("visibilitychange", again);
			removeEventListener("focus", again);
		};
	}, [read, connection, news]);
}
