import { ContractError, isMethodName, methods } from "@xworkmate/contracts";
import type { RunRecord } from "../ports/run-record.ts";
import type { RunService } from "../ports/run-service.ts";
import { parseParams } from "./parse-params.ts";

export type StreamMethod = "session.start" | "session.message" | "xworkmate.tasks.subscribe";

/** What a stream shows: a run's log after a seq. */
export interface StreamOpening {
	readonly record: RunRecord;
	readonly afterSeq: number;
}

export function isStreamMethod(method: string): method is StreamMethod {
	return isMethodName(method) && methods[method].streams;
}

/**
 * Does what the method does before its first event.
 * @param lastEventId the header as it came; it wins over afterSeq
 * @throws ContractError of the method's params and of the run service
 */
export async function openStream(
	runs: RunService,
	method: StreamMethod,
	params: unknown,
	lastEventId: string | undefined,
): Promise<StreamOpening> {
	const resumed = lastEventId === undefined || lastEventId === "" ? undefined : parseSeq(lastEventId);
	if (method !== "xworkmate.tasks.subscribe") {
		const record = await runs.submit(method, parseParams(method, params));
		return { record, afterSeq: resumed ?? 0 };
	}
	const { runId, afterSeq } = parseParams(method, params);
	return { record: await runs.resolve({ runId }), afterSeq: resumed ?? afterSeq ?? 0 };
}

function parseSeq(lastEventId: string): number {
	if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId);
	throw new ContractError("INVALID_PARAMS", { detail: "Last-Event-ID must be a seq." });
}
