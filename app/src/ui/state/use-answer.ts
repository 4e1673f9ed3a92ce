import { useCallback, useEffect, useState } from "react";
import { sayError } from "../connection/app-refusal.ts";
import { useApp } from "./app-context.tsx";
import { useReadAgain } from "./use-read-again.ts";

export interface Answer<T> {
	/** The last answer. If there is also a problem, the answer may be out of date. */
	readonly answer?: T;
	/** Why the newest request failed; absent if it succeeded. */
	readonly problem?: string;
}

/**
 * The app's answer; undefined until it arrives. Requested once, and again when `again` changes. A request that fails is repeated, with longer
 * and longer pauses and when the app or the bridge responds again, so that the problem is not shown after it has passed. The earlier answer
 * stays until the new one arrives, beside the problem of a request that failed.
 * @param ask the signal is aborted once the answer is no longer wanted
 */
export function useAnswer<T>(ask: (signal: AbortSignal) => Promise<T>, again: unknown): Answer<T> {
	const { app, state } = useApp();
	const [{ failedReads, ...shown }, setGot] = useState<Got<T>>({ failedReads: 0 });
	const [repeats, setRepeats] = useState(0);
	const repeat = useCallback(() => setRepeats((before) => before + 1), []);
	// biome-ignore lint/correctness/useExhaustiveDependencies: requested once, when `again` changes, and when a failed request is repeated
	useEffect(() => {
		const leave = new AbortController();
		const isWanted = () => !leave.signal.aborted;
		ask(leave.signal).then(
			(answer) => isWanted() && setGot({ answer, failedReads: 0 }),
			(error: unknown) => isWanted() && setGot((before) => ({ ...before, problem: sayError(error), failedReads: before.failedReads + 1 })),
		);
		return () => leave.abort();
	}, [again, repeats]);
	useReadAgain(failedReads, repeat);
	// biome-ignore lint/correctness/useExhaustiveDependencies: only when the app or the bridge responds again
	useEffect(() => {
		if (state === "live" && failedReads > 0) repeat();
	}, [state, app.bridge.state]);
	return shown;
}

interface Got<T> extends Answer<T> {
	/** How many requests have failed since the last one that succeeded. */
	readonly failedReads: number;
}
