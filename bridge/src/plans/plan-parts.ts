import type { ChannelId } from "@xworkmate/contracts";
import type { KeyedQueue } from "@xworkmate/platform/async";
import type { DeliveryChannel } from "../ports/channels/channel.ts";
import type { Clock } from "../ports/clock.ts";
import type { PlanStore } from "../ports/plans/plan-store.ts";
import type { RunService } from "../ports/runs/run-service.ts";
import type { MessageOf } from "./messages.ts";
import type { PlanLog } from "./plan-log.ts";
import type { TermsDeps } from "./plan-terms.ts";

/** Recorded as the user who made a decision: any client with the bridge's token, or the user whom the Discord bot asks. */
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
	readonly queue: KeyedQueue<string>;
	readonly maxPlans: number;
	/** Called when an operation fails whose caller does not wait for it. */
	readonly onError: (error: unknown) => void;
}
