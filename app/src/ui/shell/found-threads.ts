import { useDeferredValue, useEffect, useState } from "react";
import type { FoundThread } from "../../core/ui-api.ts";
import { callApp } from "../client/call-app.ts";

const SEARCH_PAUSE_MS = 150;

export interface Found {
	/** What was searched for, which may be behind what is typed. */
	readonly text: string;
	readonly threads: readonly FoundThread[];
}

/** The app's own search, a little after the last letter; undefined = nothing is searched for. */
export function useFound(text: string): Found | undefined {
	const wanted = useDeferredValue(text.trim());
	const [found, setFound] = useState<Found>();
	useEffect(() => {
		if (wanted === "") return setFound(undefined);
		let stale = false;
		const timer = setTimeout(() => {
			callApp("searchThreads", { text: wanted }).then(
				(threads) => !stale && setFound({ text: wanted, threads }),
				() => !stale && setFound({ text: wanted, threads: [] }),
			);
		}, SEARCH_PAUSE_MS);
		return () => {
			stale = true;
			clearTimeout(timer);
		};
	}, [wanted]);
	return wanted === "" ? undefined : found;
}
