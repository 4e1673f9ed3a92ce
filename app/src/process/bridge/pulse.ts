import { setTimeout as delay } from "node:timers/promises";
import type { AutoResetEvent } from "@xworkmate/platform/async";
import type { Answer } from "./ask-alive.ts";

export interface PulseBounds {
	/** How long to wait after a check that was answered or found no listener, in milliseconds. */
	readonly everyMs: number;
	/** How long an answer may take, in milliseconds. */
	readonly answerMs: number;
	/** How long to wait, instead of `everyMs`, while nothing needs the bridge, in milliseconds. */
	readonly quietMs: number;
	/** How many consecutive unanswered checks count as silence. */
	readonly misses: number;
}

/** Determines when a bridge is checked less often. */
export interface Rest {
	/** True while nothing needs the bridge. */
	readonly isQuiet: () => boolean;
	/** Set when something needs the bridge again, which ends the longer pause. */
	readonly used: AutoResetEvent;
}

/** With these values, silence is reported within 7 seconds, or within 16 in the background if nothing in the app needed the bridge. */
export const pulseBounds: PulseBounds = { everyMs: 1_000, quietMs: 10_000, answerMs: 1_500, misses: 4 };

/** Makes one check, which `signal` can abort. */
export type Ask = (signal: AbortSignal) => Promise<Answer>;

/**
 * Checks until `misses` consecutive checks have gone unanswered, or resolves with "stopped" if `signal` is aborted first. Silence is counted
 * in checks, not in time: while this process does not run, because the machine sleeps or is overloaded, no check counts. A check that finds
 * no listener does not count either: that bridge is ending, and the supervisor notices when it has ended.
 */
export async function untilSilent(
	ask: Ask,
	signal: AbortSignal,
	bounds: PulseBounds = pulseBounds,
	rest?: Rest,
	now: () => number = () => performance.now(),
): Promise<"silent" | "stopped"> {
	const { everyMs, quietMs, answerMs, misses } = bounds;
	signal.addEventListener("abort", () => rest?.used.set(), { once: true });
	for (let missed = 0; !signal.aborted; ) {
		const asked = now();
		// This timer is cleared after the answer. AbortSignal.timeout can't be cleared and would wake an idle process once more.
		const late = new AbortController();
		const timer = setTimeout(() => late.abort(), answerMs);
		const answer = await ask(AbortSignal.any([signal, late.signal])).finally(() => clearTimeout(timer));
		const took = now() - asked;
		if (answer === "answered") missed = 0;
		// A time-out that fired late means that this process was not running either, so the bridge did not cause it.
		else if (answer === "silent" && took < answerMs * 2) missed++;
		if (missed >= misses && !signal.aborted) return "silent";
		if (answer === "silent") continue;
		if (rest?.isQuiet() === true) await rest.used.wait(quietMs);
		else await delay(everyMs, undefined, { signal }).catch(() => undefined);
	}
	return "stopped";
}
