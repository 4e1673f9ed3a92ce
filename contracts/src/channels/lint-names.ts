import type { LintFinding, LintRule } from "./channel.ts";

/** What a channel objects to in a message, as part of a sentence about its text. The ids of the rules are never shown to users. */
export const lintNames: Readonly<Record<LintRule, string>> = {
	too_long: "it is too long",
	heading: "it contains headings",
	code_fence: "it contains a code block",
	bullet: "it contains a bulleted list",
	table: "it contains a table",
	invisible: "it contains hidden characters",
	bidi: "its text direction is overridden",
	remote_image: "it refers to an image that the message won't show",
	link_text: "a link hides where it goes",
	credentials: "a link contains sign-in data",
	secret: "it contains a secret, or text that looks like one",
};

/** A finding as part of a sentence: "it contains a code block (```sh)". Pure. */
export function findingWords({ rule, excerpt }: LintFinding): string {
	return `${lintNames[rule]}${excerpt === undefined ? "" : ` (${excerpt})`}`;
}
