import { ThreadId, TurnId } from "@xworkmate/contracts";
import { newThreadId, newTurnId } from "./new-ids.ts";

/** Creates a turn's id where the user presses a button, so that a press that is repeated after a lost answer is the same turn. */
export function mintTurnId(): TurnId {
	return TurnId.parse(newTurnId());
}

export function mintThreadId(): ThreadId {
	return ThreadId.parse(newThreadId());
}
