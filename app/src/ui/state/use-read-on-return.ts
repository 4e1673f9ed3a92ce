import { useEffect } from "react";
import { useConnection } from "./use-connection.ts";

/**
 * Reads whenever contact with the app begins, and again when `news` or `read` changes. Also reads when the user comes back to the page,
 * because what was changed elsewhere may not have been reported.
 */
export function useReadOnReturn(read: () => void, news: unknown): void {
	const connection = useConnection();
	// biome-ignore lint/correctness/useExhaustiveDependencies: read again with each change
	useEffect(() => {
		if (connection === undefined) return;
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
	}, [read, connection, news]);
}
