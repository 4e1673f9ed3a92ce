import type { DeliveryAction } from "@xworkmate/contracts";
import { fill } from "../../strings/interface.ts";
import { planCodeWords } from "../../strings/plans/plan-code-words.ts";
import { channelWords } from "../../strings/plans/plan-words.ts";
import { messageInLocalTime } from "../../text/local-time.ts";
import { visibleName } from "../text/visible-text.ts";

/**
 * What happened to a message, in one sentence. The gate's own messages are meant for logs and for the agent, so for its codes only the
 * page's sentence is shown.
 */
export function meaningOf(
	{ code, message, channel }: Pick<DeliveryAction, "code" | "message" | "channel">,
	agent: string,
): string | undefined {
	if (code?.startsWith("GATE_") !== true) return messageInLocalTime(code, message, Date.now());
	const { meaning } = planCodeWords[code];
	return meaning === undefined ? undefined : fill(meaning, { agent: visibleName(agent), channel: channelWords[channel] });
}
