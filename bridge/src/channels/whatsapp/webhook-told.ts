import { createHash } from "node:crypto";
import { ActionId, omitUndefined, type Timestamp } from "@xworkmate/contracts";
import { z } from "zod";
import type { ChannelNews, KeyedTold, MessageNews } from "../../ports/channels/channel-news.ts";
import { failureNews } from "./failure-news.ts";

const Many = z.array(z.unknown()).max(10_000).prefault([]);
const Envelope = z.looseObject({
	object: z.literal("whatsapp_business_account"),
	entry: z.array(z.looseObject({ changes: Many })).max(10_000),
});
const Change = z.looseObject({
	field: z.literal("messages"),
	value: z.looseObject({
		metadata: z.looseObject({ phone_number_id: z.string().max(100) }),
		statuses: Many,
		messages: Many,
	}),
});
/** Whole seconds since the epoch, within the years that a date can represent. */
const Seconds = z
	.union([z.string().regex(/^\d{1,11}$/), z.int().min(0).max(99_999_999_999)])
	.transform((seconds): Timestamp => new Date(Number(seconds) * 1_000).toISOString());
const Id = z.string().min(1).max(1_000);
const Status = z.looseObject({
	id: Id,
	status: z.enum(["sent", "delivered", "read", "failed"]),
	timestamp: Seconds,
	biz_opaque_callback_data: z.string().max(1_000).optional(),
	errors: z
		.array(
			z.looseObject({
				code: z.int(),
				title: z.string().optional(),
				error_data: z.looseObject({ details: z.string().optional() }).optional(),
			}),
		)
		.max(100)
		.optional(),
});
const Message = z.looseObject({
	id: Id,
	from: z.string().regex(/^\+?\d{5,20}$/),
	timestamp: Seconds,
	type: z.string().max(100),
});

/** Types of messages that no person wrote. */
const NOT_WRITTEN: readonly string[] = ["system", "request_welcome", "unknown"];
/** The id that the bridge gives a message: its action's id. The number of an attempt may follow, although the bridge adds none now. */
const OURS = /^([A-Za-z0-9][\w-]{0,63})(?:[:/.#](\d{1,4}))?$/;

/**
 * Everything in a webhook call that the bridge can use: what happened to messages, and who wrote. What people wrote is left out. Unknown
 * shapes are ignored, and so is everything about a number other than the bridge's own, if that is known. Pure.
 */
export function toldByWebhook(body: unknown, phoneNumberId: string | undefined): readonly KeyedTold[] {
	const envelope = Envelope.safeParse(body);
	if (!envelope.success) return [];
	return envelope.data.entry.flatMap(({ changes }) =>
		changes.flatMap((each) => {
			const change = Change.safeParse(each);
			if (!change.success) return [];
			const { metadata, statuses, messages } = change.data.value;
			const number = metadata.phone_number_id;
			if (phoneNumberId !== undefined && number !== phoneNumberId) return [];
			return [
				...statuses.flatMap((status) => toldByStatus(status, number)),
				...messages.flatMap((message) => toldByMessage(message, number)),
			];
		}),
	);
}

/** An address in the form that this channel uses: E.164. */
function addressOf(number: string): string {
	return number.startsWith("+") ? number : `+${number}`;
}

function toldByStatus(given: unknown, number: string): readonly KeyedTold[] {
	const parsed = Status.safeParse(given);
	if (!parsed.success) return [];
	const { id, status, timestamp: at, errors = [], biz_opaque_callback_data: data } = parsed.data;
	const [error] = errors;
	const said: MessageNews = status === "failed" ? failureNews(error) : { kind: "proved", proof: status };
	const news: ChannelNews = { channel: "whatsapp", providerMessageId: id, ...omitUndefined({ ours: oursOf(data) }), at, news: said };
	// Keyed by its content rather than the bytes of the request, because a repeated status may arrive in another batch.
	const key = keyOf("status", number, id, status, at, ...errors.map(({ code }) => String(code)));
	return [{ key, told: { kind: "news", news } }];
}

function toldByMessage(given: unknown, number: string): readonly KeyedTold[] {
	const parsed = Message.safeParse(given);
	if (!parsed.success || NOT_WRITTEN.includes(parsed.data.type)) return [];
	const { id, from, timestamp: at } = parsed.data;
	return [{ key: keyOf("message", number, id), told: { kind: "reply", channel: "whatsapp", address: addressOf(from), number, at } }];
}

function oursOf(data: string | undefined): ChannelNews["ours"] {
	const [, id, n] = OURS.exec(data ?? "") ?? [];
	const actionId = ActionId.safeParse(id);
	if (!actionId.success) return undefined;
	return { actionId: actionId.data, ...(n === undefined ? {} : { attempt: Number(n) }) };
}

function keyOf(...parts: readonly string[]): string {
	return createHash("sha256")
		.update(JSON.stringify(["whatsapp", ...parts]))
		.digest("hex");
}
