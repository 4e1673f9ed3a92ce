import { createHash } from "node:crypto";
import { ActionId, omitUndefined, type Timestamp } from "@xworkmate/contracts";
import { z } from "zod";
import type { ChannelNews, KeyedTold, MessageNews } from "../../ports/channel-news.ts";
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
/** Whole seconds since the epoch; years that a date can have. */
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

/** What no one wrote. */
const NOT_WRITTEN: readonly string[] = ["system", "request_welcome", "unknown"];
/** Our name for a message: its action and the attempt. */
const OURS = /^([A-Za-z0-9][\w-]{0,63})(?:[:/.#](\d{1,4}))?$/;

/**
 * What a call says that we know how to take: what became of messages, and who wrote. What a person wrote is left out. Shapes that are not
 * known are nothing, and so is what is about another number than ours, if that is known. Pure.
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

/** An address as this channel writes it: E.164. */
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
	// Keyed by what it says, not by the bytes of the request: a repeated status may come in another batch.
	const key = keyOf("status", number, id, status, at, ...errors.map(({ code }) => String(code)));
	return [{ key, told: { kind: "news", news } }];
}

function toldByMessage(given: unknown, number: string): readonly KeyedTold[] {
	const parsed = Message.safeParse(given);
	if (!parsed.success || NOT_WRITTEN.includes(parsed.data.type)) return [];
	const { id, from, timestamp: at } = parsed.data;
	return [{ key: keyOf("message", number, id), told: { kind: "reply", channel: "whatsapp", address: addressOf(from), at } }];
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
