import { visibleWithin } from "@xworkmate/contracts";
import { z } from "zod";
import type { SendOutcome } from "../../ports/channels/channel.ts";
import type { ApiEnd } from "./api-exchange.ts";

type Refusal = Exclude<SendOutcome, { kind: "accepted" | "no_answer" }>;

/** The part of a created post that is read. */
const MadePost = z.object({ id: z.string().regex(/^\d{1,20}$/) });
/** Discord's error object. */
const ErrorObject = z.object({
	code: z.int().optional().catch(undefined),
	message: z.string(),
	retry_after: z.number().optional().catch(undefined),
});

const PERMISSION_FIX =
	"Give the bot the View Channel, Send Messages and Attach Files permissions in that channel, then send the message again.";
const TOKEN_FIX =
	"Reset the token in the Discord Developer Portal, store the new one under Settings > Discord > Bot token, then restart the bridge.";
const WHO_FIX = "Check the user's ID. The user must share a server with the bot and allow direct messages there.";
const WHERE_FIX = "Check the channel's ID, and make sure that the bot is in the channel's server.";
const CHANGE_FIX = "Change the message, then send it again.";

const recipients: ReadonlyMap<number, string> = new Map([
	[10_003, WHERE_FIX],
	[10_013, WHO_FIX],
	[50_007, WHO_FIX],
	[50_008, WHERE_FIX],
	[50_033, WHO_FIX],
	[50_278, WHO_FIX],
]);
/** The content is too large, empty or invalid, or was blocked by a filter of the server or of Discord. */
const contents: ReadonlySet<number> = new Set([40_005, 50_006, 50_035, 200_000, 200_001, 240_000]);
/** The bot isn't permitted to see the channel, or to post in it. */
const permissions: ReadonlySet<number> = new Set([50_001, 50_013]);
/** Slow mode, other limits of a channel, or too many new direct messages. */
const waits: ReadonlySet<number> = new Set([20_016, 20_028, 20_029, 40_003]);

/** Derives a message's outcome from how its request ended. Pure. */
export function postOutcome(end: ApiEnd): SendOutcome {
	if (end.kind === "broken") {
		if (!end.isGiven) return notReached(end.code);
		const what = end.isBegun ? "its response was incomplete" : "did not say whether it accepted it";
		return { kind: "no_answer", message: `Discord may have received the message, but ${what} (${visibleWithin(end.code, 100)}).` };
	}
	const { status, body } = end;
	if (status >= 200 && status < 300) {
		const made = MadePost.safeParse(body);
		if (made.success) return { kind: "accepted", proof: "delivered", providerMessageId: made.data.id };
		return { kind: "no_answer", message: `Discord responded with ${status}, but returned no message.` };
	}
	const isDefinite = status >= 400 && status < 500 && status !== 408;
	return isDefinite
		? refusal(end)
		: { kind: "no_answer", message: `Discord responded with ${status}, which does not say whether it received the message.` };
}

/** Why nothing could be handed over, from the answer to a request that does not send a message. Pure. */
export function questionOutcome(end: ApiEnd): Refusal {
	if (end.kind === "broken") return end.isGiven ? unanswered(end) : notReached(end.code);
	const { status } = end;
	if (status >= 400 && status < 500 && status !== 408) return refusal(end);
	return { kind: "passing", message: `Discord responded with ${status} before the message was sent.` };
}

function refusal({ status, body, retryAfter }: Extract<ApiEnd, { kind: "answered" }>): Refusal {
	const found = ErrorObject.safeParse(body);
	const { code = 0, message = "", retry_after: seconds } = found.data ?? {};
	const said = `Discord refused the request (${status}${code === 0 ? "" : `, ${code}`})${message === "" ? "" : `: ${visibleWithin(message.replace(/\s+/g, " "), 300)}`}`;
	if (status === 429 || waits.has(code)) {
		const waitMs = Math.ceil((seconds ?? Number(retryAfter)) * 1_000);
		return { kind: "passing", message: said, ...(Number.isFinite(waitMs) && waitMs > 0 && { retryAfterMs: waitMs }) };
	}
	if (status === 401 || code === 40_001) return { kind: "held", code: "CHANNEL_AUTH", message: said, fix: TOKEN_FIX };
	const fix = recipients.get(code);
	if (fix !== undefined) return { kind: "refused", code: "RECIPIENT_REFUSED", message: said, fix };
	if (contents.has(code) || status === 413) return { kind: "refused", code: "CONTENT_REFUSED", message: said, fix: CHANGE_FIX };
	if (permissions.has(code) || status === 403) return { kind: "held", code: "CHANNEL_BLOCKED", message: said, fix: PERMISSION_FIX };
	if (status === 400 && found.success) return { kind: "refused", code: "CONTENT_REFUSED", message: said, fix: CHANGE_FIX };
	return {
		kind: "held",
		code: "CHANNEL_UNAVAILABLE",
		message: said,
		fix: "Wait, then send the message again. If this continues, check the network between this computer and Discord.",
	};
}

/** The outcome of a request that sends no message and got no complete response, although the connection was open. */
function unanswered({ code, isBegun }: Extract<ApiEnd, { kind: "broken" }>): Refusal {
	const why = visibleWithin(code, 100);
	const silent = code === "ETIMEDOUT" || code === "ABORTED" ? "did not answer in time" : `the connection broke before it answered (${why})`;
	const what = isBegun ? `its response was incomplete (${why})` : silent;
	return { kind: "passing", message: `Discord was reached, but ${what}, so no message was sent.` };
}

/** The outcome if nothing was sent. */
function notReached(code: string): Refusal {
	const why = visibleWithin(code, 100);
	if (!/CERT|SELF_SIGNED|UNABLE_TO_|_CA$|ISSUER|ALTNAME/.test(code))
		return { kind: "passing", message: `Discord can't be reached (${why}).` };
	return {
		kind: "held",
		code: "CHANNEL_UNAVAILABLE",
		message: `The server that answered could not prove that it is Discord (${why}), so nothing was sent.`,
		fix: "Check this computer's date and time, and check that no proxy is answering in Discord's place. Then send the message again.",
	};
}
