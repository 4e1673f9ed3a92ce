import type { DeliveryAction } from "@xworkmate/contracts";
import { fill } from "../strings/interface.ts";
import { planCodeWords } from "../strings/plan-code-words.ts";
import { channelWords } from "../strings/plan-words.ts";

/** The title of a message's code, with the values in its braces. Undefined if the message has no code. */
export function codeTitle({ code, channel, attempts }: Pick<DeliveryAction, "code" | "channel" | "attempts">): string | undefined {
	return code === undefined ? undefined : fill(planCodeWords[code].title, { channel: channelWords[channel], count: attempts });
}
