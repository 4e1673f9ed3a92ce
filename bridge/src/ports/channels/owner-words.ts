/** The words for who gets a message that names no recipient: the user, or the channel that is set for such messages, which others may read. */
export type OwnerWords = "you" | "your usual channel";

/** The words for who gets a message that names no recipient, derived from the address that it is sent to. */
export function ownerWords(address: string | undefined): OwnerWords {
	return address?.startsWith("channel:") === true ? "your usual channel" : "you";
}
