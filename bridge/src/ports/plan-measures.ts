import type { ChannelId } from "@xworkmate/contracts";

/** How a message ended, or that it is not known. One that was unknown and is settled later ends once more. */
export const deliveryEnds = ["completed", "failed", "unknown"] as const;
export type DeliveryEnd = (typeof deliveryEnds)[number];

/** What is measured of plans. */
export interface PlanMeasures {
	/** A message has ended. */
	delivered(channel: ChannelId, end: DeliveryEnd): void;
	/** A scheduled time has begun, so many seconds after it was due. */
	began(lateSeconds: number): void;
}
