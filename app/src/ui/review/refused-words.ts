import type { ChannelId, LintFinding } from "@xworkmate/contracts";
import { fill } from "../../strings/interface.ts";
import { lintWords } from "../../strings/plans/plan-code-words.ts";
import { channelWords } from "../../strings/plans/plan-words.ts";
import { reviewWords as words } from "../../strings/plans/review-words.ts";

/**
 * Why the bridge refuses to send a text that the user wrote, or undefined if the rules of the channel found nothing in it. An agent's text can
 * be sent in spite of some findings; the user's own text can't, because the user can change it.
 */
export function refusedWords(channel: ChannelId, lint: readonly LintFinding[]): string | undefined {
	if (lint.length === 0) return undefined;
	const findings = new Set(lint.map(({ rule }) => fill(lintWords[rule], { channel: channelWords[channel] })));
	return fill(words.editRefused, { findings: [...findings].join("; ") });
}
