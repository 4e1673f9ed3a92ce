import type { Finding } from "../api/ui-api.ts";

/** Beyond this number, problems of one kind are only counted, because a longer list would be unreadable on a screen. */
const NAMED = 50;

/** One finding for each problem up to a limit, and one with the number of the others. `total`: how many there are, if not all are given. */
export function namedFindings(
	about: string,
	messages: readonly string[],
	fix: string | ((index: number) => string),
	total = messages.length,
): readonly Finding[] {
	const fixOf = (index: number) => (typeof fix === "string" ? fix : fix(index));
	const named = messages.slice(0, NAMED).map((message, index): Finding => ({ about, state: "problem", message, fix: fixOf(index) }));
	const more = Math.max(total, messages.length) - named.length;
	return more === 0 ? named : [...named, { about, state: "problem", message: `${more} more, not listed here.` }];
}
