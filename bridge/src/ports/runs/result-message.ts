import { MessageId, type RunId } from "@xworkmate/contracts";

/** The id of the message with the value that a program returned, as opposed to what it printed. */
export function resultMessageId(runId: RunId): MessageId {
	return MessageId.parse(`${runId}-result`);
}

/** The id of the message with the assistant's answer, as opposed to its messages before that. */
export function answerMessageId(runId: RunId): MessageId {
	return MessageId.parse(`${runId}-answer`);
}
