import { Redaction, visibleWithin } from "@xworkmate/contracts";
import { z } from "zod";
import type { SendOutcome } from "../../ports/channels/channel.ts";
import { refusalOf } from "./graph-error.ts";
import type { GraphEnd } from "./graph-exchange.ts";
import type { WhatsAppAccount } from "./whatsapp-settings.ts";

const MOST_QUOTED = 300;

const GraphError = z.object({
	error: z.object({
		message: z.string().catch(""),
		code: z.int(),
		error_subcode: z.int().optional().catch(undefined),
		error_data: z
			.object({ details: z.string().optional().catch(undefined) })
			.optional()
			.catch(undefined),
	}),
});
/** Every outcome except that the message was accepted. */
export type NotSent = Exclude<SendOutcome, { kind: "accepted" }>;

const Accepted = z.object({
	messages: z.tuple([z.object({ id: z.string().min(1).max(1_000), message_status: z.string().optional().catch(undefined) })]),
});

/** What the end of a request to send a message says about the message. Pure. */
export function sendOutcome(end: GraphEnd, account: WhatsAppAccount, awaitsProof: boolean): SendOutcome {
	if (end.kind === "broken") return breakage(end, account);
	const refused = refusal(end, account);
	if (refused !== undefined) return refused;
	const accepted = Accepted.safeParse(jsonOf(end.body));
	if (end.status === 200 && accepted.success) {
		const { id: providerMessageId, message_status = "accepted" } = accepted.data.messages[0];
		const told = { kind: "accepted", proof: "accepted", providerMessageId } as const;
		if (message_status === "accepted") return { ...told, ...(awaitsProof && { awaitsProof }) };
		return { ...told, awaitsProof: true, message: `WhatsApp accepted the message, but ${heldWords(message_status, account)}` };
	}
	const answer = `${hostOf(account)} responded with ${end.status}`;
	const error = GraphError.safeParse(jsonOf(end.body)).data?.error;
	if (error === undefined) return { kind: "no_answer", message: `${answer}, but did not say whether the message was accepted.` };
	const open = "and an error that does not say whether it accepted the message";
	return { kind: "no_answer", message: `${answer} ${open}: ${errorWords(error, account)}` };
}

/** The failure of a request that concerns a file or the number and does not send a message. Undefined: it did not fail. Pure. */
export function earlyOutcome(end: GraphEnd, account: WhatsAppAccount): NotSent | undefined {
	// No message was involved, so nothing can have been sent, no matter how the request failed.
	if (end.kind === "broken") return end.phase === "connect" ? notReached(end.code, account) : unanswered(end.code, account);
	if (end.status === 200) return undefined;
	return (
		refusal(end, account) ?? { kind: "passing", message: `${hostOf(account)} responded with ${end.status} before the message was sent.` }
	);
}

/** The JSON of an answer; undefined if it is not JSON. */
export function jsonOf(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}

/** What an error response proves about the message; undefined if nothing. */
function refusal({ status, body, retryAfterMs }: Extract<GraphEnd, { kind: "answer" }>, account: WhatsAppAccount): NotSent | undefined {
	const parsed = GraphError.safeParse(jsonOf(body));
	const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
	if (!parsed.success) {
		const message = `${hostOf(account)} isn't accepting more requests right now (429).`;
		// A rate limiter that refuses a request has not processed it.
		return status === 429 ? { kind: "passing", message, ...wait } : undefined;
	}
	const { code, error_subcode } = parsed.data.error;
	const known = refusalOf(code, error_subcode);
	if (known === undefined) return undefined;
	const said = `WhatsApp says: ${errorWords(parsed.data.error, account)}`;
	return known.kind === "passing" ? { kind: "passing", message: said, ...wait } : { ...known, message: said };
}

function breakage({ phase, code }: Extract<GraphEnd, { kind: "broken" }>, account: WhatsAppAccount): NotSent {
	if (phase === "connect") return notReached(code, account);
	const message = `${hostOf(account)} may have received the message, but did not say whether it accepted it${whyOf(code)}.`;
	return { kind: "no_answer", message };
}

/** The outcome if the connection was open and the request had begun, but no complete response arrived. */
function unanswered(code: string, account: WhatsAppAccount): NotSent {
	const host = hostOf(account);
	const message =
		code === "TIMEOUT" || code === "ABORTED"
			? `${host} was reached, but had not answered when XWorkmate stopped waiting, so no message was sent.`
			: `${host} was reached, but no complete response arrived${whyOf(code)}, so no message was sent.`;
	return { kind: "passing", message };
}

function notReached(code: string, account: WhatsAppAccount): NotSent {
	const host = hostOf(account);
	const why = whyOf(code);
	if (isUntrusted(code))
		return {
			kind: "held",
			code: "CHANNEL_UNAVAILABLE",
			message: `The server that answered could not prove that it is ${host}${why}, so nothing was sent.`,
			fix: "Check this computer's date and time, and check that no proxy is answering in Meta's place. To see whether a server other than Meta's is set: `npm run -s xworkmate -- channels list`.",
		};
	return { kind: "passing", message: `${host} can't be reached${why}.` };
}

function whyOf(code: string): string {
	return code === "" ? "" : ` (${visibleWithin(code, 100)})`;
}

function isUntrusted(code: string): boolean {
	return /CERT|SELF_SIGNED|UNABLE_TO_|_CA$|ISSUER|^ERR_SSL_|^ERR_TLS_|^EPROTO$/.test(code);
}

function hostOf({ url }: WhatsAppAccount): string {
	return new URL(url).host;
}

/** Says what WhatsApp does with a message that it has accepted but did not send at once. */
function heldWords(status: string, account: WhatsAppAccount): string {
	return status === "held_for_quality_assessment"
		? "is holding it to assess its quality, and may then send it or drop it."
		: `has not confirmed that it will send it (message status: ${quoted(status, account)}).`;
}

function errorWords({ code, error_data, message }: z.infer<typeof GraphError>["error"], account: WhatsAppAccount): string {
	return `${quoted(error_data?.details ?? message, account)} (${code})`;
}

/** Quotes a server's response without the access token, which the response may repeat. */
function quoted(text: string, { accessToken }: WhatsAppAccount): string {
	const hidden = new Redaction([accessToken]).text(text.slice(0, 2_000));
	return visibleWithin(hidden.replace(/\s+/g, " ").trim(), MOST_QUOTED);
}
