import { ThreadId, TurnId } from "@xworkmate/contracts";
import { customAlphabet, nanoid } from "nanoid";

const mintSuffix = customAlphabet("23456789abcdefghjkmnpqrstuvwxyz", 10);

/** Minted where the user presses Send, so that a press repeated after a lost answer is the same turn. */
export function mintTurnId(): TurnId {
	return TurnId.parse(`turn-${nanoid()}`);
}

/** A draft key; the bridge maps it to its own session keys. */
export function mintThreadId(): ThreadId {
	return ThreadId.parse(`draft:${new Date().toISOString().slice(0, 10)}-${mintSuffix()}`);
}
