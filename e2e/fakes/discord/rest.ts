import { z } from "zod";
import { APPLICATION, bot, CLOSED, channels, directOf, Messages, type StoredMessage } from "./world.ts";

export interface Asked {
	readonly method: string;
	/** Below `/api/v10`. */
	readonly path: string;
	readonly query: URLSearchParams;
	readonly body: unknown;
	readonly files: readonly { readonly name: string; readonly bytes: Buffer }[];
	readonly origin: string;
}

export interface Reply {
	readonly status: number;
	readonly body?: object;
	readonly headers?: Readonly<Record<string, string>>;
}

const NewMessage = z.object({
	content: z.string().default(""),
	components: z.array(z.unknown()).default([]),
	nonce: z.string().max(25).optional(),
	enforce_nonce: z.boolean().optional(),
	message_reference: z.object({ message_id: z.string() }).optional(),
	allowed_mentions: z.unknown().optional(),
	flags: z.number().default(0),
	/** In an edit, the files that the message keeps; those sent along are added in any case. */
	attachments: z.array(z.object({ id: z.union([z.string(), z.number()]) })).optional(),
});
const Callback = z.object({ type: z.number(), data: z.object({ content: z.string(), flags: z.number().default(0) }).optional() });

/** What a user alone was shown, or that a click was acknowledged. */
export interface Answered {
	readonly interaction: string;
	readonly type: number;
	readonly content: string;
	readonly isEphemeral: boolean;
}

const refusal = (status: number, code: number, message: string): Reply => ({ status, body: { message, code } });
/** Opens the direct messages with a user; they are the same each time. */
function open(body: unknown): Reply {
	const { recipient_id: user } = z.object({ recipient_id: z.string() }).parse(body);
	const channel = channels.get(directOf.get(user) ?? "");
	return channel === undefined ? refusal(400, 50_033, "Invalid Recipient(s)") : { status: 200, body: channel };
}

const CONTENT_LENGTH = 2_000;
const EPHEMERAL = 64;

/** The REST part, as far as a bot uses it here. */
export class Rest {
	readonly #messages: Messages;
	/** Channels in which the bot may not post. */
	readonly forbidden = new Set<string>();
	readonly answered: Answered[] = [];
	readonly commands: unknown[] = [];
	/** The tokens of interactions, by which answers to them are told apart. */
	readonly interactions = new Map<string, string>();
	/** Nonces are forgotten, as after some minutes. */
	forgetsNonces = false;

	constructor(messages: Messages) {
		this.#messages = messages;
	}

	answer(asked: Asked): Reply {
		const { method, path, origin } = asked;
		const [place = "", id = "", part = "", message = ""] = path.split("/").slice(1);
		const key = `${method} ${place}`;
		if (path === "/gateway/bot") {
			const start = { total: 1_000, remaining: 999, reset_after: 0, max_concurrency: 1 };
			return { status: 200, body: { url: `${origin.replace("http", "ws")}/gateway`, shards: 1, session_start_limit: start } };
		}
		if (path === "/users/@me") return { status: 200, body: bot };
		if (path === "/users/@me/channels") return open(asked.body);
		if (place === "channels") return this.#channel(asked, id, part, message);
		if (key === "POST interactions") return this.#callback(id, asked.body);
		if (key === "POST webhooks" && id === APPLICATION) {
			const { content, flags } = NewMessage.parse(asked.body);
			this.#note(this.interactions.get(part) ?? "", 4, content, flags);
			return { status: 200, body: { id: this.#messages.newId() } };
		}
		if (key === "PUT applications") {
			this.commands.splice(0, Number.POSITIVE_INFINITY, ...z.array(z.unknown()).parse(asked.body));
			return { status: 200, body: this.commands };
		}
		return refusal(404, 0, "404: Not Found");
	}

	#channel(asked: Asked, id: string, part: string, message: string): Reply {
		const channel = channels.get(id);
		if (channel === undefined) return refusal(404, 10_003, "Unknown Channel");
		if (part === "") return { status: 200, body: channel };
		if (asked.method === "GET") {
			const { query } = asked;
			const found = this.#messages.of(id, query.get("after"), Number(query.get("limit") ?? 50));
			return { status: 200, body: found.map(Messages.shown) };
		}
		if (id === CLOSED) return refusal(403, 50_007, "Cannot send messages to this user");
		if (this.forbidden.has(id)) return refusal(403, 50_013, "Missing Permissions");
		const sent = NewMessage.parse(asked.body);
		if (sent.content.length > CONTENT_LENGTH) return refusal(400, 50_035, "Invalid Form Body");
		if (sent.content === "" && asked.files.length === 0) return refusal(400, 50_006, "Cannot send an empty message");
		return asked.method === "PATCH" ? this.#edit(asked, message, sent) : this.#post(asked, id, sent);
	}

	#post(
		asked: Asked,
		channel: string,
		{ enforce_nonce: isEnforced, nonce, message_reference: reference, attachments: _named, ...sent }: z.infer<typeof NewMessage>,
	): Reply {
		const earlier = [...this.#messages.all.values()].find((message) => nonce !== undefined && message.nonce === nonce);
		if (earlier !== undefined && isEnforced === true && !this.forgetsNonces) return { status: 200, body: Messages.shown(earlier) };
		const attachments = this.#attached(asked);
		const more = { ...(nonce !== undefined && { nonce }), ...(reference !== undefined && { message_reference: reference }) };
		return { status: 200, body: Messages.shown(this.#messages.add({ channel_id: channel, author: bot, attachments, ...sent, ...more })) };
	}

	#attached({ files, origin }: Asked) {
		return files.map(({ name, bytes }) => {
			const id = this.#messages.newId();
			this.#messages.files.set(id, bytes);
			return { id, filename: name, size: bytes.length, url: `${origin}/files/${id}` };
		});
	}

	#edit(asked: Asked, id: string, { content, components, allowed_mentions: allowed, attachments }: z.infer<typeof NewMessage>): Reply {
		const stored: StoredMessage | undefined = this.#messages.all.get(id);
		if (stored === undefined) return refusal(404, 10_008, "Unknown Message");
		const kept = stored.attachments.filter((one) => attachments === undefined || attachments.some((named) => named.id === one.id));
		Object.assign(stored, {
			content,
			attachments: [...kept, ...this.#attached(asked)],
			components,
			allowed_mentions: allowed,
			edited_timestamp: new Date().toISOString(),
			edits: stored.edits + 1,
		});
		return { status: 200, body: Messages.shown(stored) };
	}

	#callback(id: string, body: unknown): Reply {
		const { type, data } = Callback.parse(body);
		this.#note(id, type, data?.content ?? "", data?.flags ?? 0);
		return { status: 204 };
	}

	#note(interaction: string, type: number, content: string, flags: number): void {
		this.answered.push({ interaction, type, content, isEphemeral: (flags & EPHEMERAL) !== 0 });
	}
}
