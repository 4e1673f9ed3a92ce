import { MessageId, type RunId } from "@xworkmate/contracts";

/** The message that holds what a program returned, apart from what it printed. */
export function resultMessageId(runId: RunId): MessageId {
	return MessageId.parse(`${runId}-result`);
}

/** The message that holds what the assistant gave as its answer, apart from what it said on the way. */
export function answerMessageId(runId: RunId): MessageId {
	return MessageId.parse(`${runId}-answer`);
}
