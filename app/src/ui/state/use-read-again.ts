import { useEffect } from "react";
import { doubledPause } from "../connection/doubled-pause.ts";
import { useApp } from "./app-context.tsx";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Repeats a read that has failed, with longer and longer pauses. A change is reported only once, so without a repeated read the page would
 * stay out of date. When the app responds again, there is a read anyway.
 * @param failedReads how many reads have failed since the last one that succeeded
 */
export function useReadAgain(failedReads: number, read: () => void): void {
	const { state } = useApp();
	useEffect(() => {
		if (state !== "live" || failedReads === 0) return;
		const timer = setTimeout(read, doubledPause(failedReads, FIRST_PAUSE_MS, LONGEST_PAUSE_MS));
		return () => clearTimeout(timer);
	}, [state, failedReads, read]);
}
