import { ModelFailure, type ModelFailureKind } from "../../../../ports/models/model-client.ts";
import { serverWords } from "./failure-words.ts";
import { retryAfterMs } from "./retry-after.ts";

/**
 * What servers say when the credit is used up, with any 4xx status. Rate limits mention billing too, so the word "billing" alone proves
 * nothing.
 */
const OUT_OF_CREDIT =
	/insufficient_quota|billing_error|billing_hard_limit_reached|billing_not_active|exceeded your current quota|credit balance is too low|insufficient (?:balance|credits?|funds)|out of credits?/i;

const sentences: Readonly<Record<Exclude<ModelFailureKind, "network" | "broken">, string>> = {
	auth: "denied access with this credential",
	billing: "says that this account has no credit left",
	rate_limited: "is limiting this account's requests",
	overloaded: "can't handle the request right now",
	refused: "refused the request",
};

export interface ErrorAnswer {
	readonly status: number;
	readonly headers: Headers;
	/** The body, up to a size limit. */
	readonly body: string;
}

/** What an error response means. The server's own words are quoted, without the secret. */
export function httpFailure({ status, headers, body }: ErrorAnswer, host: string, secret: string, now: number): ModelFailure {
	const kind = kindOf(status, body);
	const words = serverWords(body, secret);
	const detail = words === "" ? `${status}` : `${status}: ${words}`;
	return new ModelFailure(kind, `${host} ${sentences[kind]} (${detail}).`, retryAfterMs(headers, now));
}

function kindOf(status: number, body: string): keyof typeof sentences {
	if (status === 402 || (status >= 400 && status < 500 && OUT_OF_CREDIT.test(body))) return "billing";
	if (status === 401 || status === 403) return "auth";
	if (status === 429) return "rate_limited";
	return status >= 500 || status === 408 ? "overloaded" : "refused";
}
