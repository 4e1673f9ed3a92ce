import type { Approval } from "@xworkmate/contracts";
import { callWords } from "../../strings/calls/call-words.ts";

/**
 * The code that a typed call asks to run: accepted by the user, not accepted, no longer in use, or denied by a rule of the user's. `unsure`:
 * it couldn't be read.
 */
export type ToolCode = "accepted" | "unaccepted" | "gone" | "forbidden" | "unsure";

export function codeOf({ unaccepted, toolChanged, forbidden }: Pick<Approval, "unaccepted" | "toolChanged" | "forbidden">): ToolCode {
	if (toolChanged === true) return "gone";
	if (forbidden === true) return "forbidden";
	return unaccepted === true ? "unaccepted" : "accepted";
}

/** What the user should know of the code before they answer an open request: what is so, and what it means for the answer. */
export const codeNotes: Readonly<Record<ToolCode, { readonly is: string; readonly say: string } | undefined>> = {
	accepted: undefined,
	unaccepted: { is: callWords.unaccepted, say: callWords.unacceptedSay },
	gone: { is: callWords.gone, say: callWords.goneSay },
	forbidden: { is: callWords.forbidden, say: callWords.forbiddenSay },
	unsure: { is: callWords.unsure, say: callWords.unacceptedSay },
};
