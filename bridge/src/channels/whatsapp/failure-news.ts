import type { MessageNews } from "../../ports/channels/channel-news.ts";

interface Failure {
	readonly code: number;
	readonly title?: string | undefined;
	readonly error_data?: { readonly details?: string | undefined } | undefined;
}

type Made = (what: string) => MessageNews;

const MOST_WORDS = 500;

const windowClosed: Made = (what) => ({
	kind: "held",
	code: "WINDOW_CLOSED",
	message: `WhatsApp did not deliver the message, because the recipient has not written to you in the last 24 hours ${what}.`,
	fix: "Send the message once the recipient has written to you, or discard it.",
});
const noAccess: Made = (what) => ({
	kind: "held",
	code: "CHANNEL_AUTH",
	message: `WhatsApp did not deliver the message, because it rejected your access token or its permissions ${what}.`,
	fix: "Check the access token and its permissions with `npm run -s xworkmate -- channels test whatsapp`, then send the message again.",
});
const blocked: Made = (what) => ({
	kind: "held",
	code: "CHANNEL_BLOCKED",
	message: `WhatsApp did not deliver the message, because it has restricted your account ${what}.`,
	fix: "Check Meta's Business Support Home, then send the message again.",
});
const badTemplate: Made = (what) => ({
	kind: "held",
	code: "TEMPLATE_INVALID",
	message: `WhatsApp did not deliver the message, because the template can't be used ${what}.`,
	fix: "Correct the template in WhatsApp Manager, then send the message again.",
});
const later: Made = (what) => ({
	kind: "held",
	code: "CHANNEL_UNAVAILABLE",
	message: `WhatsApp did not deliver the message because of a problem that may be temporary ${what}.`,
	fix: "Send the message again later, or discard it.",
});
const noRecipient: Made = (what) => ({
	kind: "failed",
	code: "RECIPIENT_REFUSED",
	message: `WhatsApp can't deliver to this number ${what}.`,
	fix: "Check the number and whether the recipient uses WhatsApp, or send the message another way.",
});
const noContent: Made = (what) => ({
	kind: "failed",
	code: "CONTENT_REFUSED",
	message: `WhatsApp rejected the message ${what}.`,
	fix: "Change the message or its file, then send it again.",
});
const notSent: Made = (what) => ({
	kind: "failed",
	code: "NOT_SENT",
	message: `WhatsApp did not deliver the message ${what}.`,
	fix: "Look up the code in Meta's list of error codes, fix the cause, then send the message again.",
});
const unexplained: MessageNews = {
	kind: "failed",
	code: "NOT_SENT",
	message: "WhatsApp did not deliver the message, and did not say why.",
	fix: "Send the message again later, or send it another way.",
};

/** Keyed by Meta's error code. */
const made: ReadonlyMap<number, Made> = new Map([
	...of(windowClosed, 131047),
	...of(noAccess, 0, 3, 10, 190, 200, 131005),
	...of(blocked, 368, 130497, 131031, 131042, 131045, 131048, 131057),
	...of(badTemplate, 132000, 132001, 132005, 132007, 132012, 132015, 132016, 132068, 132069),
	...of(later, 1, 2, 4, 80007, 130429, 131000, 131016, 131056, 133004),
	...of(noRecipient, 130472, 131021, 131026, 131030, 131049, 131050),
	...of(noContent, 100, 131008, 131009, 131051, 131052, 131053),
]);

function of(make: Made, ...codes: readonly number[]): readonly (readonly [number, Made])[] {
	return codes.map((code) => [code, make]);
}

/**
 * What happens to a message that WhatsApp accepted but did not deliver. Meta's words are cut off if they are too long, and otherwise
 * unchanged.
 */
export function failureNews(failure: Failure | undefined): MessageNews {
	if (failure === undefined) return unexplained;
	const { code, title, error_data } = failure;
	const words = [...new Set([title, error_data?.details])].filter((word) => word !== undefined && word !== "").join(": ");
	const shown = words
		.replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ")
		.slice(0, MOST_WORDS)
		.toWellFormed();
	return (made.get(code) ?? notSent)(shown === "" ? `(${code})` : `(${code}: ${shown})`);
}
