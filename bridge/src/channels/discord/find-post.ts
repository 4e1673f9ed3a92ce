import { z } from "zod";
import type { Payload } from "../../ports/plans/plan-event.ts";
import type { ApiEnd } from "./api-exchange.ts";
import { PostEnvelope, postOf } from "./build-post.ts";

/** The moment from which the times in Discord's ids are counted, in milliseconds since the Unix epoch. */
const FIRST_MS = 1_420_070_400_000n;
/** Tolerance for comparing clocks: the server's `Date` header has whole seconds only. */
const BEFORE_MS = 5_000;
/** The message is looked for up to this long after the hand-over. A request that took longer to arrive was abandoned long before. */
const AFTER_MS = 5 * 60_000;
const PAGE = 100;
const MOST_PAGES = 10;

const Listed = z.array(
	z.object({
		id: z.string().regex(/^\d{1,20}$/),
		author: z.object({ id: z.string() }),
		content: z.string(),
		nonce: z.union([z.string(), z.number()]).optional().catch(undefined),
		attachments: z.array(z.object({ filename: z.string() })).default([]),
	}),
);
type Listed = z.infer<typeof Listed>;

/** Requests a path of the API. */
export type Ask = (path: string) => Promise<ApiEnd>;

/**
 * The id of the bot's message in a channel that is certainly the one that was handed over: it has the nonce or, among messages without a
 * nonce, is the only one with the same text and number of files in the minutes after the hand-over. Undefined if there is none, or if
 * Discord can't be asked. That proves nothing, because the message may also have been deleted.
 * @param since when it was handed over, by this machine's clock, in milliseconds since the epoch
 */
export async function findPost(
	ask: Ask,
	channel: string,
	payload: Payload,
	{ since, now }: { readonly since: number; readonly now: () => number },
): Promise<string | undefined> {
	const me = await ask("/users/@me");
	const own = me.kind === "answered" && me.status === 200 ? z.object({ id: z.string() }).safeParse(me.body).data?.id : undefined;
	if (me.kind !== "answered" || own === undefined) return undefined;
	const began = since + clockDifference(me.date, now());
	const until = began + AFTER_MS;
	const mine: Listed = [];
	let after = idAt(began - BEFORE_MS);
	for (let page = 0; page < MOST_PAGES; page++) {
		const listed = await pageAfter(ask, channel, after);
		if (listed === undefined) return undefined;
		mine.push(...listed.filter(({ id, author }) => author.id === own && timeOf(id) <= until));
		const last = listed.at(-1);
		if (last === undefined || listed.length < PAGE || timeOf(last.id) > until) return theOne(mine, payload);
		after = last.id;
	}
	return undefined;
}

/** A page of messages, oldest first. */
async function pageAfter(ask: Ask, channel: string, after: string): Promise<Listed | undefined> {
	const end = await ask(`/channels/${channel}/messages?after=${after}&limit=${PAGE}`);
	if (end.kind !== "answered" || end.status !== 200) return undefined;
	return Listed.safeParse(end.body).data?.toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
}

function theOne(mine: Listed, payload: Payload): string | undefined {
	const { nonce } = PostEnvelope.parse(JSON.parse(payload.envelope));
	const named = mine.find((message) => message.nonce === nonce);
	if (named !== undefined) return named.id;
	const { content, files } = postOf(payload);
	const alike = mine.filter(
		(message) => message.nonce === undefined && message.content.trim() === content.trim() && message.attachments.length === files.length,
	);
	const [only, ...others] = alike;
	return others.length === 0 ? only?.id : undefined;
}

/** How far the server's clock is ahead, in milliseconds. */
function clockDifference(date: string | undefined, now: number): number {
	const there = date === undefined ? Number.NaN : Date.parse(date);
	return Number.isNaN(there) ? 0 : there - now;
}

function idAt(milliseconds: number): string {
	const since = BigInt(Math.floor(milliseconds)) - FIRST_MS;
	return String(since > 0n ? since << 22n : 0n);
}

function timeOf(id: string): number {
	return Number((BigInt(id) >> 22n) + FIRST_MS);
}
