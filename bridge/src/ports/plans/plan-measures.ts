import type { ChannelId } from "@xworkmate/contracts";

/** How a message ended, or that its outcome is unknown. A message whose unknown outcome is settled later is counted a second time. */
export const deliveryEnds = ["completed", "failed", "unknown"] as const;
export type DeliveryEnd = (typeof deliveryEnds)[number];

/** The metrics of plans. */
export interface PlanMeasures {
	/** Called when the delivery of a message has ended. */
	delivered(channel: ChannelId, end: DeliveryEnd): void;
	/** Called when a scheduled occurrence has begun, with how many seconds late it was. */
	began(lateSeconds: number): void;
}
