import { createJSONRPCSuccessResponse, type JSONRPCID } from "json-rpc-2.0";
import { errorResponse, normalizeError, type VerificationOpening } from "../../rpc/index.ts";
import type { StreamWriter } from "../reply/stream-writer.ts";
import { answerFrame, progressFrames } from "./event-frames.ts";

/** The minimum time between two progress reports, short enough to look continuous. */
const PAUSE_MS = 250;

/**
 * Sends the progress of a verification, then its result, or the reason why there is none. Ends when its reader has disconnected. Never
 * rejects.
 */
export async function showVerification({ verify }: VerificationOpening, id: JSONRPCID, writer: StreamWriter): Promise<void> {
	const gone = new AbortController();
	writer.onClosed(() => gone.abort());
	let saidAt = performance.now();
	try {
		const result = await verify((progress) => {
			const now = performance.now();
			if (now - saidAt < PAUSE_MS) return;
			saidAt = now;
			writer.write(progressFrames(progress));
		}, gone.signal);
		writer.end(answerFrame(createJSONRPCSuccessResponse(id, result)));
	} catch (thrown) {
		writer.end(answerFrame(errorResponse(id, normalizeError(thrown))));
	}
}
