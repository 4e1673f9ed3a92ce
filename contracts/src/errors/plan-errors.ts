import type { ErrorDefinition } from "./error-definition.ts";

/** Refusals about plans, their messages and channels. */
export const planErrors = {
	PLAN_CONFLICT: {
		number: -32009,
		retryable: false,
		meaning: "This request has already created a plan with different details.",
		fix: "Open that plan, or create another with a new requestId.",
	},
	REVISION_CONFLICT: {
		number: -32009,
		retryable: false,
		meaning: "The plan or message was changed in the meantime.",
		fix: "Get the plan or message again, check what changed, then decide.",
	},
	PAYLOAD_CHANGED: {
		number: -32009,
		retryable: false,
		meaning: "The message is no longer the one that was previewed.",
		fix: "Preview the message again, then send the new preview.",
	},
	NOTHING_TO_SEND: {
		number: -32009,
		retryable: false,
		meaning: "A message can't be sent, or no message is waiting for this decision.",
		fix: "Get the plan to see the state of each message.",
	},
	SCHEDULE_INVALID: {
		number: -32602,
		retryable: false,
		meaning: "This schedule isn't valid.",
		fix: "Use a future time or a five-field cron expression, with an IANA time zone such as Europe/Berlin.",
	},
	RECIPIENT_REQUIRED: {
		number: -32602,
		retryable: false,
		meaning: "A message has no recipient, and its channel has no owner.",
		fix: "Specify a contact, or set the channel's owner.",
	},
	RECIPIENT_UNKNOWN: {
		number: -32602,
		retryable: false,
		meaning: "The recipient is not a contact, or has no address for this channel.",
		fix: "Add the contact, or its address for this channel, under Settings > Contacts.",
	},
	CONTENT_INVALID: {
		number: -32602,
		retryable: false,
		meaning: "This text can't be sent.",
		fix: "Correct the text as this error describes.",
	},
	PLAN_LIMIT: {
		number: -32010,
		retryable: false,
		meaning: "The limit on plans has been reached.",
		fix: 'Delete finished plans, or raise "Plans" under Settings > Channels (maxPlans) and restart the bridge.',
	},
	CHANNEL_UNAVAILABLE: {
		number: -32011,
		retryable: false,
		meaning: "This channel can't be used right now.",
		fix: "Set up the channel under Settings > Channels.",
	},
	EXTRACTION_UNAVAILABLE: {
		number: -32011,
		retryable: true,
		meaning: "No model is available to read a plan from a sentence.",
		fix: "Fill in the form instead, or set up an account for the assistant.",
	},
} as const satisfies Record<string, ErrorDefinition>;
