/** The webhook listener cannot listen. `cause`: the system's error. */
export class WebhookListenError extends Error {
	override readonly name = "WebhookListenError";

	constructor(cause: Error) {
		super(`webhooks can't be listened for: ${cause.message}`, { cause });
	}
}
