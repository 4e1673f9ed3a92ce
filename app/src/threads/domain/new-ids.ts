import { customAlphabet, nanoid } from "nanoid";

const suffix = customAlphabet("23456789abcdefghjkmnpqrstuvwxyz", 10);

/** The text of a new turn's id. The page creates ids too, and does not load the schemas that check them. */
export function newTurnId(): string {
	return `turn-${nanoid()}`;
}

/** The text of a new thread's id. It is a draft key, which the bridge maps to session keys of its own. */
export function newThreadId(): string {
	return `draft:${new Date().toISOString().slice(0, 10)}-${suffix()}`;
}
