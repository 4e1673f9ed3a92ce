import {
	ChangeCursor,
	ContractError,
	isMethodName,
	type MethodName,
	type MethodResult,
	methods,
	type PlanId,
	type Verification,
	type VerificationProgress,
} from "@xworkmate/contracts";
import type { RunFacts } from "../ports/runs/run-record.ts";

/** The methods that answer with an event stream when the client accepts one. */
export type StreamMethod = { [M in MethodName]: (typeof methods)[M]["streams"] extends true ? M : never }[MethodName];

/** The reader of a stream. */
export interface StreamReader {
	/** The id of the last event that the reader received on an earlier stream. It overrides the params. */
	readonly lastEventId?: string | undefined;
}

/** What a stream will send. A method returns it once everything that must happen before the first event is done. */
export type StreamOpening<M extends StreamMethod = StreamMethod> = Shown & {
	/**
	 * The single answer for a client that does not accept a stream. `whenGone` returns a signal that aborts when the caller disconnects.
	 */
	answer(whenGone?: () => AbortSignal): Promise<MethodResult<M>>;
};

type Shown =
	/** A run's log after a seq. */
	| { readonly shows: "run"; readonly record: RunFacts; readonly afterSeq: number }
	/** All changes of the bridge after a cursor. */
	| { readonly shows: "changes"; readonly after: ChangeCursor | undefined }
	/** The events of one plan, or of all, after a feedSeq. */
	| { readonly shows: "plans"; readonly planId: PlanId | undefined; readonly afterFeedSeq: number }
	/** The progress of a verification, then its result. */
	| { readonly shows: "verification"; verify(said: (progress: VerificationProgress) => void, gone: AbortSignal): Promise<Verification> };

export type VerificationOpening = Extract<StreamOpening, { shows: "verification" }>;
export type RunOpening = Extract<StreamOpening, { shows: "run" }>;

export function isStreamMethod(method: string): method is StreamMethod {
	return isMethodName(method) && methods[method].streams;
}

/**
 * The cursor that a reader resumes after.
 * @throws ContractError INVALID_PARAMS
 */
export function resumedCursor({ lastEventId }: StreamReader = {}): ChangeCursor | undefined {
	const cursor = ChangeCursor.optional().safeParse(lastEventId);
	if (cursor.success) return cursor.data;
	throw new ContractError("INVALID_PARAMS", { detail: "Last-Event-ID must be a cursor from this method." });
}

/**
 * The seq that a reader resumes after.
 * @throws ContractError INVALID_PARAMS
 */
export function resumedSeq({ lastEventId }: StreamReader = {}): number | undefined {
	if (lastEventId === undefined) return undefined;
	if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId);
	throw new ContractError("INVALID_PARAMS", { detail: "Last-Event-ID must be the seq of an event, a whole number." });
}
