import { ThreadId, TurnId } from "@xworkmate/contracts";
import { newThreadId, newTurnId } from "./new-ids.ts";

/** Minted where the user presses, so that a press repeated after a lost answer is the same turn. */
export function mintTurnId(): TurnId {
	return TurnId.parse(newTurnId());
}

export function mintThreadId(): ThreadId {
	return ThreadId.parse(newThreadId());
}
