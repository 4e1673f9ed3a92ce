import { doubledPause } from "./doubled-pause.ts";

/**
 * The shortest and the longest pause between two attempts. Without a pause, each of the many lines of a running agent's stream could cause
 * an attempt.
 */
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 10_000;

const waiting = new Set<() => void>();

/** Call this when anything has arrived from the app. */
export function noteHeard(): void {
	for (const heard of [...waiting]) heard();
}

/**
 * Runs a job once, as soon as anything arrives from the app. This is for a request that got no answer: a single request can fail while the
 * page's streams are open, so there may be no reconnection that would repeat the request.
 * @param tries how often the job has failed before; each failure doubles the pause before the next attempt
 * @returns cancels the job
 */
export function onceHeard(job: () => void, tries: number): () => void {
	let isHeard = false;
	let isRested = tries === 0;
	const run = () => {
		if (!isHeard || !isRested) return;
		cancel();
		job();
	};
	const rest = () => {
		isRested = true;
		run();
	};
	const heard = () => {
		isHeard = true;
		run();
	};
	const timer = isRested ? undefined : setTimeout(rest, doubledPause(tries, FIRST_REST_MS, LONGEST_REST_MS));
	const cancel = () => {
		clearTimeout(timer);
		waiting.delete(heard);
	};
	waiting.add(heard);
	return cancel;
}
