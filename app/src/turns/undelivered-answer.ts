import { failureVerdict } from "../bridge-client/index.ts";
import { AppError } from "../errors/app-error.ts";

/**
 * The error for an answer to a request that the bridge did not confirm. A request ends when the bridge that executes its run ends, so the
 * user is not told to try again. Any other error is returned unchanged.
 */
export function undeliveredAnswer(error: unknown): unknown {
	const verdict = failureVerdict(error);
	if (verdict === undefined || !verdict.again || !verdict.resultCode.startsWith("ACP_HTTP_C")) return error;
	if (verdict.unreached)
		return new AppError(
			"ANSWER_NOT_SENT",
			"Your answer was not sent because the bridge can't be reached.",
			"When the bridge is back, the request appears here again, unless its run has ended.",
			error,
		);
	return new AppError(
		"ANSWER_UNCONFIRMED",
		"Your answer may not have arrived, because the connection to the bridge was lost.",
		"When the bridge is back, the request appears here again, unless it was answered or its run has ended.",
		error,
	);
}
