import { AgentFailure } from "./agent-failure.ts";

/** The turn is being stopped, so the result that was waited for is no longer needed. */
export class Stopped extends Error {
	override readonly name = "Stopped";
	readonly code = "STOPPED";
}

export interface WaitLimit {
	/** Milliseconds; absent = as long as it takes. */
	readonly ms?: number;
	readonly stop?: AbortSignal;
}

/**
 * Waits for an agent's answer.
 * @throws AgentFailure with `words` when the time is up; Stopped when it is stopped
 */
export async function bounded<T>(answer: Promise<T>, { ms, stop }: WaitLimit, words: string): Promise<T> {
	answer.catch(() => {});
	const { promise: ended, reject } = Promise.withResolvers<never>();
	ended.catch(() => {});
	const onStop = () => reject(new Stopped());
	const timer = ms === undefined ? undefined : setTimeout(() => reject(new AgentFailure("PROVIDER_ERROR", words)), ms);
	stop?.addEventListener("abort", onStop, { once: true });
	if (stop?.aborted) onStop();
	try {
		return await Promise.race([answer, ended]);
	} finally {
		clearTimeout(timer);
		stop?.removeEventListener("abort", onStop);
	}
}
