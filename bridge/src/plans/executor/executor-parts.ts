import type { ChannelId, DeliveryAction, Occurrence, Plan } from "@xworkmate/contracts";
import type { DeliveryChannel, Message } from "../../ports/channels/channel.ts";
import type { Clock } from "../../ports/clock.ts";
import type { PlanStore } from "../../ports/plans/plan-store.ts";
import type { PlanLog } from "../plan-log.ts";
import type { DeliveryLimits } from "./delivery-limits.ts";

/** What sending needs from the rest of the bridge. */
export interface ExecutorParts {
	readonly store: PlanStore;
	readonly log: PlanLog;
	readonly channels: ReadonlyMap<ChannelId, DeliveryChannel>;
	/**
	 * Checks that a recipient still exists.
	 * @throws ContractError RECIPIENT_REQUIRED, RECIPIENT_UNKNOWN, CHANNEL_UNAVAILABLE, INVALID_PARAMS for a contact's address
	 */
	readonly resolveRecipient: (channel: ChannelId, contactId: string | undefined) => unknown;
	/**
	 * The message of an action, with its files.
	 * @throws ContractError if it cannot be made
	 */
	readonly messageOf: (occurrence: Occurrence, action: DeliveryAction, plan: Plan) => Promise<Message>;
	/** Called when a channel has refused a message for a reason that concerns the channel itself (`concernsChannel`). May throw. */
	readonly onChannelRefused?: (channel: ChannelId) => void;
	readonly clock: Clock;
	readonly limits: DeliveryLimits;
	readonly onError: (error: unknown) => void;
}

/** What one attempt needs in addition to `ExecutorParts`. `ended`: aborted once nothing may be written any longer. */
export interface AttemptParts extends ExecutorParts {
	readonly ended: AbortSignal;
}
