import type { Approval } from "./approval.ts";

/** Names of an answer that say no more than "Allow once". */
const PLAIN_YES = /^(?:(?:yes,? )?(?:allow|approve|accept|proceed|run)|yes|ok)(?: (?:it |this )?(?:only )?(?:once|this time))?[.!]?$/i;

/**
 * The name of the answer that an agent gets for `allow_once`, and the names of the other answers that allow the call. Undefined if the
 * agent names none, or only one whose name says no more than "Allow once". Pure; depends on types only, so the page can load it.
 */
export function answerNames({
	allowNames = [],
}: Pick<Approval, "allowNames">): { readonly name: string; readonly others: readonly string[] } | undefined {
	const [name = "", ...others] = allowNames;
	return others.length === 0 && (name === "" || PLAIN_YES.test(name.trim())) ? undefined : { name, others };
}
