import { Buffer } from "node:buffer";
import { formatBytes, type Gate, type GateReason } from "@xworkmate/contracts";

/** The largest message, in UTF-8 bytes. */
const MOST_BYTES = 256 * 1024;

/** "None" as the only word, in any case and with any punctuation. */
const NONE_ALONE = /^[^\p{L}\p{N}]*none[^\p{L}\p{N}]*$/iu;
/** The word "NONE" in capitals at the start, no matter what reason follows. */
const NONE_FIRST = /^[^\p{L}\p{N}]*NONE(?![\p{L}\p{N}_])/u;
const SEEN = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]/u;

const words: Readonly<Record<GateReason, string>> = {
	missing: "Deliverable tags missing",
	empty: "Deliverable is empty",
	declined: "Brain declined to produce deliverable",
	unclosed: "The deliverable's closing tag is missing",
	several: "There is more than one deliverable",
	nested: "There is a deliverable inside the deliverable",
	trailing: "There is text after the deliverable",
	too_large: `The deliverable is larger than ${formatBytes(MOST_BYTES)}`,
	malformed: "The deliverable's tags are malformed or in the wrong place",
};

/**
 * Checks a message against the gate's rules. If there are no messages to send, anything is valid. `problem`: what is wrong with the tags,
 * if there is no message.
 */
export function validateDeliverable(deliverable: string | null, hasDelivery: boolean, problem: GateReason = "missing"): Gate {
	if (!hasDelivery) return { valid: true };
	if (deliverable === null) return refused(problem);
	if (!SEEN.test(deliverable)) return refused("empty");
	if (NONE_ALONE.test(deliverable) || NONE_FIRST.test(deliverable)) return refused("declined");
	if (Buffer.byteLength(deliverable) > MOST_BYTES) return refused("too_large");
	return { valid: true };
}

/** A refusal by the gate, in words. */
export function refused(reason: GateReason): Gate {
	return { valid: false, reason, words: words[reason] };
}
