/** Bounds of plans that the configuration may change; times in milliseconds. */
export interface PlanLimits {
	/** How long a message is tried to be sent. */
	readonly deliverWithinMs: number;
	/** From taking a message to the channel's answer. */
	readonly sendTimeoutMs: number;
	/** How long a message that was accepted waits for the channel's word. */
	readonly confirmMs: number;
	/** How long after its time an occurrence may begin automatically. */
	readonly catchUpMs: number;
	/** Messages of one channel in an hour, before the next waits for a person. */
	readonly sendsPerHour: number;
	readonly maxPlans: number;
}
