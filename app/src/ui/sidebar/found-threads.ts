import { useDeferredValue, useEffect, useRef, useState } from "react";
import type { FoundThreads } from "../../api/found-thread.ts";
import { count, fill, words } from "../../strings/interface.ts";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { useApp } from "../state/app-context.tsx";
import { visibleName } from "../text/visible-text.ts";

const SEARCH_PAUSE_MS = 150;
/** When threads change, a search is repeated at most this often. */
const AGAIN_MS = 1_000;

export interface Found extends FoundThreads {
	/** The text that was searched for. It may lag behind what is typed. */
	readonly text: string;
	/** The tag that the search was narrowed to. It may lag behind the chosen one. */
	readonly tag: string | undefined;
	/** Why the search failed. */
	readonly problem?: string;
}

/**
 * The result of the app's search. The search starts shortly after the last keystroke. It is repeated when threads have changed and, if it
 * failed, when the app responds again. Undefined without a search text, and until the first result has arrived. While the app isn't
 * responding, a search that it has not answered counts as failed.
 */
export function useFound(text: string, tag: string | undefined): Found | undefined {
	const { state, app } = useApp();
	const wanted = useDeferredValue(text.trim());
	const [found, setFound] = useState<Found>();
	const hasFailed = found?.problem !== undefined;
	// True if the search failed and the app has stopped responding. Once the app responds again, the search is repeated.
	const [isWaiting, setWaiting] = useState(false);
	if (hasFailed && state !== "live" && !isWaiting) setWaiting(true);
	if (isWaiting && state === "live") setWaiting(false);
	const changes = useChanges(app.threads, wanted !== "");
	// biome-ignore lint/correctness/useExhaustiveDependencies: a change to the threads repeats the search
	useEffect(() => {
		if (wanted === "") return isWaiting ? undefined : setFound(undefined);
		if (isWaiting) return setFound((failed) => failed && { ...failed, text: wanted, tag });
		let stale = false;
		const timer = setTimeout(() => {
			callApp("searchThreads", { text: wanted, ...(tag !== undefined && { tag }) }).then(
				(threads) => !stale && setFound({ text: wanted, tag, ...threads }),
				(error: unknown) => !stale && setFound({ ...nothing(wanted, tag), problem: sayError(error) }),
			);
		}, SEARCH_PAUSE_MS);
		return () => {
			stale = true;
			clearTimeout(timer);
		};
	}, [wanted, tag, isWaiting, changes]);
	if (wanted === "") return undefined;
	const isAnswered = found?.text === wanted && found.tag === tag;
	if (state === "gone" && !isAnswered) return { ...nothing(wanted, tag), problem: words.page.appSilent };
	return found;
}

const nothing = (text: string, tag: string | undefined): Found => ({ text, tag, threads: [], isFull: false });

/** Reports the number of results that are `listed`. The app stops a search after many results, so there may be more. */
export function sayFound({ text, tag, isFull, problem }: Found, listed: number): string {
	if (problem !== undefined) return fill(words.sidebar.notSearched, { text, problem });
	if (listed > 0) return isFull ? fill(words.sidebar.foundAtLeast, { count: listed }) : count(listed, "result");
	if (tag !== undefined) return fill(words.sidebar.nothingTagged, { text, tag: visibleName(tag) });
	return fill(words.sidebar.nothingFound, { text });
}

/** Counts the changes to the threads while `matter` is true. Many changes in short succession count as one. */
function useChanges(threads: readonly unknown[], matter: boolean): number {
	const [count, setCount] = useState(0);
	const seen = useRef(threads);
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	useEffect(() => {
		if (matter && seen.current !== threads) {
			timer.current ??= setTimeout(() => {
				timer.current = undefined;
				setCount((before) => before + 1);
			}, AGAIN_MS);
		}
		seen.current = threads;
	}, [threads, matter]);
	useEffect(() => () => clearTimeout(timer.current), []);
	return count;
}
