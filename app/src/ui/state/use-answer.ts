import { useEffect, useState } from "react";
import { sayError } from "../connection/app-refusal.ts";

export interface Answer<T> {
	readonly answer?: T;
	readonly problem?: string;
}

/**
 * The app's answer; undefined until it arrives. Requested once, and again when `again` changes. The earlier answer stays until the new one
 * arrives; if the new request fails, the problem replaces it.
 */
export function useAnswer<T>(ask: () => Promise<T>, again: unknown): Answer<T> {
	const [answer, setAnswer] = useState<Answer<T>>({});
	// biome-ignore lint/correctness/useExhaustiveDependencies: requested once, and again when `again` changes
	useEffect(() => {
		let stale = false;
		ask().then(
			(value) => !stale && setAnswer({ answer: value }),
			(error: unknown) => !stale && setAnswer({ problem: sayError(error) }),
		);
		return () => {
			stale = true;
		};
	}, [again]);
	return answer;
}
