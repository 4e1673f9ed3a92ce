import type { ChannelId } from "@xworkmate/contracts";
import type { DeliveryChannel } from "../ports/channel.ts";
import type { Clock } from "../ports/clock.ts";
import type { PlanStore } from "../ports/plan-store.ts";
import type { RunService } from "../ports/run-service.ts";
import type { Lines } from "./lines.ts";
import type { MessageOf } from "./messages.ts";
import type { PlanLog } from "./plan-log.ts";
import type { TermsDeps } from "./plan-terms.ts";

/** Who decides by a command: whoever holds the bridge's token. */
export const PERSON = "person";

/** What the commands of plans work with. */
export interface PlanParts extends TermsDeps {
	readonly store: PlanStore;
	readonly log: PlanLog;
	readonly clock: Clock;
	readonly channels: ReadonlyMap<ChannelId, DeliveryChannel>;
	readonly messageOf: MessageOf;
	readonly runs: Pick<RunService, "cancel">;
	/** Commands with the same request, and commands about the same plan, come one after the other. */
	readonly lines: Lines<string>;
	readonly maxPlans: number;
	/** Something was asked for that did not succeed and that no one waits for. */
	readonly onError: (error: unknown) => void;
}
