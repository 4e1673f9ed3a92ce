/** Limits on sending. Times in milliseconds. */
export interface DeliveryLimits {
	/** How many messages may be sent at the same time. */
	readonly atOnce: number;
	/** How long a claim reserves a message: that claim must hand it over within this time, or not at all. */
	readonly leaseMs: number;
	/** The longest time from the claim to the channel's answer. */
	readonly sendTimeoutMs: number;
	/** How long an accepted message waits for the channel's confirmation. */
	readonly confirmMs: number;
	/** After this long, a message is no longer sent automatically. */
	readonly deliverWithinMs: number;
	/** How many messages of one channel are sent in an hour before the next one waits for the user. */
	readonly sendsPerHour: number;
	/** The maximum number of attempts at one message. */
	readonly attempts: number;
	readonly firstRetryMs: number;
	readonly longestRetryMs: number;
	/** Within this time, the same text for the same recipient from two plans is treated as a mistake. */
	readonly sameWithinMs: number;
	/** How long a stopping bridge waits for messages that are being sent. */
	readonly stopMs: number;
	/** The wall clock is read at least this often. */
	readonly lookEveryMs: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

export const defaultDeliveryLimits: DeliveryLimits = {
	atOnce: 8,
	leaseMs: MINUTE,
	sendTimeoutMs: MINUTE,
	confirmMs: 10 * MINUTE,
	deliverWithinMs: 24 * 60 * MINUTE,
	sendsPerHour: 30,
	attempts: 8,
	firstRetryMs: 30 * SECOND,
	longestRetryMs: 15 * MINUTE,
	sameWithinMs: 10 * MINUTE,
	stopMs: 5 * SECOND,
	lookEveryMs: 30 * SECOND,
};
