import type { Channel, Plan, Unavailable } from "@xworkmate/contracts";
import { fill } from "../../strings/interface.ts";
import { channelWords, unreadyWords } from "../../strings/plans/plan-words.ts";
import { termsOf } from "../../text/plans/plan-terms.ts";
import { mayStillSend, unreadyOf } from "../../text/plans/unready-of.ts";
import { oneLine } from "../../text/printable.ts";
import type { Output } from "../parts/output.ts";
import { terminalFix } from "../words/terminal-fix.ts";

/** The channels of a plan that are not ready; none if the plan will not send anything more, or if the channels can't be read. */
export async function unreadyChannels({ api }: Output, plan: Plan): Promise<readonly Channel[]> {
	const messages = [...plan.delivery, ...termsOf(plan).delivery];
	if (!mayStillSend(plan) || messages.every(({ channel }) => channel === "dashboard")) return [];
	try {
		return unreadyOf(plan, (await api.channels()).channels);
	} catch {
		// The command already has its result, the plan, so it does not fail if the channels can't be read.
		return [];
	}
}

export function unreadyLines(channels: readonly Channel[]): readonly string[] {
	return channels.flatMap(({ channel, unavailable }) => [
		fill(unreadyWords, { channel: channelWords[channel] }),
		...(unavailable === undefined ? [] : unavailableLines(unavailable).map((line) => `  ${line}`)),
	]);
}

/** Why a channel is not ready, and what to do about it. */
export function unavailableLines({ code, message, fix }: Unavailable): readonly string[] {
	return [`${oneLine(message, 600)} (${code})`, oneLine(terminalFix(code, fix), 600)];
}
