import type { ChannelId } from "@xworkmate/contracts";
import type { DeliveryChannel } from "../ports/channels/channel.ts";
import type { Clock } from "../ports/clock.ts";
import type { PlanStore } from "../ports/plans/plan-store.ts";
import type { RunService } from "../ports/runs/run-service.ts";
import type { Lines } from "./lines.ts";
import type { MessageOf } from "./messages.ts";
import type { PlanLog } from "./plan-log.ts";
import type { TermsDeps } from "./plan-terms.ts";

/** Recorded as who made a decision: anyone who has the bridge's token, or the user whom the Discord bot asks. */
export const PERSON = "person";

/** What the commands of plans need. */
export interface PlanParts extends TermsDeps {
	readonly store: PlanStore;
	readonly log: PlanLog;
	readonly clock: Clock;
	readonly channels: ReadonlyMap<ChannelId, DeliveryChannel>;
	readonly messageOf: MessageOf;
	readonly runs: Pick<RunService, "cancel">;
	/** Runs commands with the same request, and commands for the same plan, one after another. */
	readonly lines: Lines<string>;
	readonly maxPlans: number;
	/** Called when something fails that was requested but that no one is waiting for. */
	readonly onError: (error: unknown) => void;
}
