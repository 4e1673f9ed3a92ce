import { omitUndefined } from "@xworkmate/contracts";
import pTimeout from "p-timeout";
import { AgentFailure } from "./agent-failure.ts";

/** The turn or the test is being stopped, so the awaited result is no longer needed. */
export class Stopped extends Error {
	override readonly name = "Stopped";
	readonly code = "STOPPED";
}

export interface WaitLimit {
	/** Milliseconds. Absent: no limit. */
	readonly ms?: number;
	readonly stop?: AbortSignal;
}

/**
 * Waits for an agent's answer.
 * @throws AgentFailure with `words` on a timeout; Stopped if `stop` is aborted
 */
export async function bounded<T>(answer: Promise<T>, { ms, stop }: WaitLimit, words: (ms: number) => string): Promise<T> {
	if (ms === undefined && stop === undefined) return answer;
	try {
		return await pTimeout(answer, {
			milliseconds: ms ?? Number.POSITIVE_INFINITY,
			message: new AgentFailure("PROVIDER_ERROR", words(ms ?? 0)),
			...omitUndefined({ signal: stop }),
		});
	} catch (error) {
		throw stop?.aborted && error === stop.reason ? new Stopped() : error;
	}
}
