/**
 * The words for the recipient of messages that name none: the user, or the channel that is set for such messages, which others may read.
 */
export type OwnerWords = "you" | "your usual channel";

/** The words for the recipient of messages that name none, derived from the address that they are sent to. */
export function ownerWords(address: string | undefined): OwnerWords {
	return address?.startsWith("channel:") === true ? "your usual channel" : "you";
}
