/** The webhook listener cannot listen. `cause`: the system's error. */
export class WebhookListenError extends Error {
	override readonly name = "WebhookListenError";

	constructor(cause: Error) {
		super(`can't listen for webhooks: ${cause.message}`, { cause });
	}
}
