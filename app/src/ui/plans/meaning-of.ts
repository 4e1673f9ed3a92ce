import type { DeliveryAction } from "@xworkmate/contracts";
import { fill } from "../../strings/interface.ts";
import { planCodeWords } from "../../strings/plan-code-words.ts";
import { channelWords } from "../../strings/plan-words.ts";
import { visibleName } from "../text/visible-text.ts";

/**
 * What happened to a message, in a sentence. What the gate says is meant for logs and for the agent: of its codes only the page's own
 * sentence is shown, and nothing where a value of it is not known.
 */
export function meaningOf(
	{ code, message, channel }: Pick<DeliveryAction, "code" | "message" | "channel">,
	agent: string,
): string | undefined {
	if (code?.startsWith("GATE_") !== true) return message;
	const said = fill(planCodeWords[code].meaning, { agent: visibleName(agent), channel: channelWords[channel] });
	return said.includes("{") ? undefined : said;
}
