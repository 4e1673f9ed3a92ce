import { setTimeout as delay } from "node:timers/promises";
import type { Answer } from "./ask-alive.ts";

export interface PulseBounds {
	/** Between two asks that are answered, in milliseconds. */
	readonly everyMs: number;
	/** How long an answer may take. */
	readonly answerMs: number;
	/** As many asks in a row without an answer are a silence. */
	readonly misses: number;
}

/** Silence is reported after 6 seconds. */
export const pulseBounds: PulseBounds = { everyMs: 1_000, answerMs: 1_500, misses: 4 };

/** Asks once, until `signal` is aborted. */
export type Ask = (signal: AbortSignal) => Promise<Answer>;

/**
 * Asks until as many asks in a row as the bounds say went unanswered; "stopped" when `signal` is aborted first. Silence is
 * counted in asks, not in time: while this process does not run, because the machine sleeps or is overloaded, no ask
 * counts. Nor does one that finds no one listening: that bridge is ending, and its process says when it has.
 */
export async function untilSilent(
	ask: Ask,
	signal: AbortSignal,
	bounds: PulseBounds = pulseBounds,
	now: () => number = () => performance.now(),
): Promise<"silent" | "stopped"> {
	const { everyMs, answerMs, misses } = bounds;
	for (let missed = 0; !signal.aborted; ) {
		const asked = now();
		const answer = await ask(AbortSignal.any([signal, AbortSignal.timeout(answerMs)]));
		const took = now() - asked;
		if (answer === "answered") missed = 0;
		// A time-out that came late was not watched over: the bridge may have been as unable to run as this process.
		else if (answer === "silent" && took < answerMs * 2) missed++;
		if (missed >= misses && !signal.aborted) return "silent";
		if (answer !== "silent") await delay(everyMs, undefined, { signal }).catch(() => undefined);
	}
	return "stopped";
}
