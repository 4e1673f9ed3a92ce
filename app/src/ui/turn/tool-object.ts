import type { ToolKind } from "@xworkmate/contracts";
import { claimedWords, reportedWords, toolWords, wantsWords } from "../../strings/runs/states.ts";

/** The verb forms that agents start a title with, by kind of tool. */
const verbs: Readonly<Record<ToolKind, RegExp>> = {
	read: /^read(?:ing|s)?(?![^\s:])[\s:]*/iu,
	edit: /^edit(?:ing|ed|s)?(?![^\s:])[\s:]*/iu,
	delete: /^delet(?:e|ing|ed|es)(?![^\s:])[\s:]*/iu,
	move: /^mov(?:e|ing|ed|es)(?![^\s:])[\s:]*/iu,
	search: /^search(?:ing|ed|es)?(?![^\s:])[\s:]*/iu,
	// Case matters here: the title is often a command line, and commands do not begin with a capital letter.
	execute: /^(?:Run(?:ning|s)?|Ran)(?![^\s:])[\s:]*/u,
	think: /^th(?:ink(?:ing|s)?|ought)(?![^\s:])[\s:]*/iu,
	fetch: /^fetch(?:ing|ed|es)?(?![^\s:])[\s:]*/iu,
	switch_mode: /^switch(?:ing|ed|es)?(?: mode)?(?![^\s:])[\s:]*/iu,
	other: /^us(?:e|ing|ed|es)(?: a tool| tool)?(?![^\s:])[\s:]*/iu,
};

/**
 * A call's title as it follows the word of its row: without its verb, if the word already says that. "Edited" is followed by "file.txt".
 */
export function objectAfter(word: string, toolKind: ToolKind, title: string): string {
	const { now, done } = toolWords[toolKind];
	const said = [now, done, wantsWords[toolKind], reportedWords[toolKind], claimedWords[toolKind]];
	const saysVerb = said.includes(word);
	return saysVerb ? title.replace(verbs[toolKind], "") : title;
}
