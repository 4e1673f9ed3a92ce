/** Limits of plans that the configuration can change. Times in milliseconds. */
export interface PlanLimits {
	/** How long the bridge keeps trying to send a message. */
	readonly deliverWithinMs: number;
	/** The longest time from claiming a message to the channel's answer. */
	readonly sendTimeoutMs: number;
	/** How long an accepted message waits for the channel's confirmation. */
	readonly confirmMs: number;
	/** How long after its time an occurrence may begin automatically. */
	readonly catchUpMs: number;
	/** How many messages of one channel are sent in an hour before the next one waits for the user. */
	readonly sendsPerHour: number;
	readonly maxPlans: number;
}
