/** What the Graph API says about each number: title, details, HTTP status. */
const errors: Readonly<Record<number, readonly [message: string, details: string, status: number]>> = {
	0: ["AuthException", "We were unable to authenticate the app user.", 401],
	1: ["API Unknown", "Invalid request or possible server error.", 400],
	2: ["API Service", "Temporary due to downtime or due to being overloaded.", 503],
	3: ["API Method", "Capability or permissions issue.", 500],
	4: ["API Too Many Calls", "The app has reached its API call rate limit.", 400],
	10: ["Permission Denied", "Permission is either not granted or has been removed.", 403],
	33: ["Parameter value is not valid", "The business phone number has been deleted.", 400],
	100: ["Invalid parameter", "The request included one or more unsupported or misspelled parameters.", 400],
	190: ["Access token has expired", "Your access token has expired.", 401],
	200: ["API Permission", "Permission is either not granted or has been removed.", 403],
	368: ["Temporarily blocked for policies violations", "The account has been restricted for violating a platform policy.", 403],
	80007: ["Rate limit issues", "The WhatsApp Business Account has reached its rate limit.", 400],
	130429: ["Rate limit hit", "Cloud API message throughput has been reached.", 429],
	130472: ["User's number is part of an experiment", "Message was not sent as part of an experiment.", 400],
	130497: ["Restricted", "Business account is restricted from messaging users in this country.", 403],
	131000: ["Something went wrong", "Message failed to send due to an unknown error.", 500],
	131005: ["Access denied", "Permission is either not granted or has been removed.", 403],
	131008: ["Required parameter is missing", "The request is missing a required parameter.", 400],
	131009: ["Parameter value is not valid", "One or more parameter values are invalid.", 400],
	131016: ["Service unavailable", "A service is temporarily unavailable.", 500],
	131021: ["Recipient cannot be sender", "Sender and recipient phone number is the same.", 400],
	131026: ["Message undeliverable", "Unable to deliver message.", 400],
	131030: ["Recipient phone number not in allowed list", "Add recipient phone number to recipient list and try again.", 400],
	131031: ["Account has been locked", "The account was disabled for a policy violation.", 403],
	131042: ["Business eligibility payment issue", "There was an error related to your payment method.", 400],
	131045: ["Incorrect certificate", "Message failed to send due to a phone number registration error.", 500],
	131047: ["Re-engagement message", "More than 24 hours have passed since the recipient last replied to the sender number.", 400],
	131048: ["Spam rate limit hit", "There are restrictions on how many messages can be sent from this phone number.", 400],
	131049: ["Meta chose not to deliver", "This message was not delivered to maintain healthy ecosystem engagement.", 400],
	131051: ["Unsupported message type", "Unsupported message type.", 400],
	131053: ["Media upload error", "Unable to upload the media used in the message.", 400],
	131056: ["Pair rate limit hit", "Too many messages sent from the sender phone number to the same recipient.", 400],
	131057: ["Account in maintenance mode", "Business Account is in maintenance mode.", 500],
	132000: ["Template Param Count Mismatch", "The number of parameters did not match the number the template expects.", 400],
	132001: ["Template does not exist", "The template does not exist in the specified language or has not been approved.", 404],
	132005: ["Template Hydrated Text Too Long", "Translated text is too long.", 400],
	132007: ["Template Format Character Policy Violated", "Template content violates a WhatsApp policy.", 400],
	132012: ["Template Parameter Format Mismatch", "Variable parameter values formatted incorrectly.", 400],
	132015: ["Template is Paused", "Template is paused due to low quality.", 400],
	132016: ["Template is Disabled", "Template has been paused too many times and is now disabled.", 400],
	133010: ["Phone number Not Registered", "Phone number not registered on the WhatsApp Business Platform.", 400],
	135000: ["Generic user error", "Message failed to send because of an unknown error with the request parameters.", 400],
};

/** What a request is refused with. */
export class GraphRefusal extends Error {
	override readonly name = "GraphRefusal";
	readonly status: number;
	readonly body: string;

	constructor(code: number, details?: string, subcode?: number) {
		const [message, usual, status] = errors[code] ?? ["Unknown", "Unknown.", 400];
		super(message);
		this.status = status;
		const error_data = { messaging_product: "whatsapp", details: details ?? usual };
		const error = {
			message: `(#${code}) ${message}`,
			type: "OAuthException",
			code,
			...(subcode !== undefined && { error_subcode: subcode }),
			error_data,
			fbtrace_id: "Az8or2yhqkZfEZ-_4Qn_Bam",
		};
		this.body = JSON.stringify({ error });
	}
}

/** As webhooks have it. */
export function statusError(code: number) {
	const [title, details] = errors[code] ?? ["Unknown", "Unknown."];
	return {
		code,
		title,
		message: title,
		error_data: { details },
		href: "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/",
	};
}
