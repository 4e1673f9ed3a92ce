import { ThreadId, TurnId } from "@xworkmate/contracts";
import { newThreadId, newTurnId } from "./new-ids.ts";

/** Creates an id for a message that was given none. Sending the message again with the same id does not create another turn. */
export function mintTurnId(): TurnId {
	return TurnId.parse(newTurnId());
}

export function mintThreadId(): ThreadId {
	return ThreadId.parse(newThreadId());
}
