import { customAlphabet, nanoid } from "nanoid";

const suffix = customAlphabet("23456789abcdefghjkmnpqrstuvwxyz", 10);

/** Creates a new turn's id, as plain text. The page creates ids too, and does not load the schemas that check them. */
export function newTurnId(): string {
	return `turn-${nanoid()}`;
}

/** Creates a new thread's id, as plain text. The id is a draft key, which the bridge maps to its own session keys. */
export function newThreadId(): string {
	return `draft:${new Date().toISOString().slice(0, 10)}-${suffix()}`;
}
