import type { MessageNews } from "../../ports/channels/channel-news.ts";
import { refusalOf } from "./graph-error.ts";

interface Failure {
	readonly code: number;
	readonly title?: string | undefined;
	readonly error_data?: { readonly details?: string | undefined } | undefined;
}

const MOST_WORDS = 500;
/** The reason as part of a sentence, before Meta's own words. */
const reasons: Readonly<Record<string, string>> = {
	WINDOW_CLOSED: ", because the recipient has not written to you in the last 24 hours",
	CHANNEL_AUTH: ", because it rejected your access token or its permissions",
	TEMPLATE_INVALID: ", because the template can't be used",
};
/** Codes that prove nothing when they answer a request to send. For a message that was accepted, they mean that Meta failed. */
const troubles: ReadonlySet<number> = new Set([1, 2, 131000, 131016, 133004]);
const unexplained: MessageNews = {
	kind: "failed",
	code: "NOT_SENT",
	message: "WhatsApp did not deliver the message, and did not say why.",
	fix: "Send the message again later, or send it another way.",
};

/**
 * The outcome of a message that WhatsApp accepted but did not deliver. The error is read like the error of a message that WhatsApp did not
 * accept. Meta's words are cut off if they are too long, and invisible characters become spaces.
 */
export function failureNews(failure: Failure | undefined): MessageNews {
	if (failure === undefined) return unexplained;
	const { code, title, error_data } = failure;
	const words = [...new Set([title, error_data?.details])].filter((word) => word !== undefined && word !== "").join(": ");
	const shown = words
		.replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ")
		.slice(0, MOST_WORDS)
		.toWellFormed();
	const what = shown === "" ? `(${code})` : `(${code}: ${shown})`;
	const known = refusalOf(code);
	if (known === undefined && !troubles.has(code))
		return {
			kind: "failed",
			code: "NOT_SENT",
			message: `WhatsApp did not deliver the message ${what}.`,
			fix: "Look up the code in Meta's list of error codes, fix the cause, then send the message again.",
		};
	if (known === undefined || known.kind === "passing")
		return {
			kind: "held",
			code: "CHANNEL_UNAVAILABLE",
			message: `WhatsApp did not deliver the message because of a problem that may be temporary ${what}.`,
			fix: "Send the message again later, or discard it.",
		};
	const message = `WhatsApp did not deliver the message${reasons[known.code] ?? ""} ${what}.`;
	if (known.kind === "refused") return { kind: "failed", code: known.code, message, fix: known.fix };
	const fix = known.code === "WINDOW_CLOSED" ? "Send the message once the recipient has written to you, or discard it." : known.fix;
	return { kind: "held", code: known.code, message, fix };
}
