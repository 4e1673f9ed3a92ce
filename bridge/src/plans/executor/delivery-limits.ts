/** Bounds of sending. Times in milliseconds. */
export interface DeliveryLimits {
	/** Messages that are being sent at the same time. */
	readonly atOnce: number;
	/** How long no one else may take a message that was claimed; it is handed over within this time, or not by that claim. */
	readonly leaseMs: number;
	/** From the claim to the channel's answer. */
	readonly sendTimeoutMs: number;
	/** How long a message that was accepted waits for the channel's word. */
	readonly confirmMs: number;
	/** After this long a message is not sent automatically any more. */
	readonly deliverWithinMs: number;
	/** Messages of one channel in an hour, before the next waits for a person. */
	readonly sendsPerHour: number;
	/** Attempts at one message. */
	readonly attempts: number;
	readonly firstRetryMs: number;
	readonly longestRetryMs: number;
	/** The same text for the same recipient from two plans within this time is taken for a mistake. */
	readonly sameWithinMs: number;
	/** What a message that is being sent gets when the bridge ends. */
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
