/** Errors with which the bridge refuses requests about plans, their messages and channels, in the page's words. */
export const planRefusals = {
	PLAN_CONFLICT: refused("Already created with different details", "Nothing was created: {message}"),
	REVISION_CONFLICT: refused("Changed in the meantime", "Nothing was changed: {message}"),
	PAYLOAD_CHANGED: refused("The message changed since you previewed it", "Nothing was sent: {message}"),
	NOTHING_TO_SEND: refused("Nothing to send", "{message}"),
	SCHEDULE_INVALID: refused("This schedule doesn’t work", "{message}"),
	RECIPIENT_REQUIRED: refused("No recipient", "{message}"),
	RECIPIENT_UNKNOWN: refused("There is no address for this recipient", "{message}"),
	CONTENT_INVALID: refused("This text can’t be sent", "{message}"),
	PLAN_LIMIT: refused("You have reached the limit on plans", "Nothing was created: {message}"),
	CHANNEL_UNAVAILABLE: refused("This channel can’t be used", "{message}"),
	EXTRACTION_UNAVAILABLE: refused("Can’t create a plan from a sentence right now", "{message}"),
} as const;

function refused(title: string, meaning: string) {
	return { tone: "bad", title, meaning, actions: ["retry"] } as const;
}
