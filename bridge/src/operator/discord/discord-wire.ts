import { z } from "zod";
import type { PostFile } from "./text/answer-plan.ts";
import type { Button } from "./text/approval-plan.ts";

// What of Discord's API is used: the part of it that the rest of this folder knows.

const Snowflake = z.string().regex(/^\d{1,20}$/);
const User = z.object({ id: Snowflake, username: z.string(), bot: z.boolean().optional() });

export const DiscordMessage = z.object({
	id: Snowflake,
	channel_id: Snowflake,
	/** Absent in a direct message, and in every message that is fetched. */
	guild_id: Snowflake.optional(),
	type: z.int(),
	content: z.string(),
	author: User,
	webhook_id: Snowflake.optional(),
	timestamp: z.string(),
	attachments: z.array(z.object({ filename: z.string(), size: z.int().min(0), url: z.string(), content_type: z.string().optional() })),
	message_reference: z.object({ message_id: Snowflake.optional() }).optional(),
	components: z.unknown().optional(),
});
export type DiscordMessage = z.infer<typeof DiscordMessage>;

export const DiscordInteraction = z.object({
	id: Snowflake,
	token: z.string(),
	/** 2: an application command, 3: a button. */
	type: z.int(),
	channel_id: Snowflake,
	guild_id: Snowflake.optional(),
	member: z.object({ user: User }).optional(),
	user: User.optional(),
	data: z.object({ name: z.string().optional(), custom_id: z.string().optional() }),
});
export type DiscordInteraction = z.infer<typeof DiscordInteraction>;

export interface PostBody {
	readonly content: string;
	readonly buttons?: readonly Button[];
	readonly file?: PostFile;
}

export interface NewPost extends PostBody {
	readonly nonce: string;
	/** The message that it answers. */
	readonly reference?: string;
}

export interface Command {
	readonly name: string;
	readonly description: string;
}

/** Discord as this bridge uses it. Every method throws DiscordError and nothing else. */
export interface DiscordWire {
	/** The id of the message; of an earlier one with this nonce, if Discord remembers it. */
	post(channel: string, post: NewPost): Promise<string>;
	edit(channel: string, message: string, body: PostBody): Promise<void>;
	/** At most 100 messages, oldest first: those after a message, or the last ones. */
	messages(channel: string, after?: string): Promise<readonly DiscordMessage[]>;
	/** A channel with one user. */
	isDirect(channel: string): Promise<boolean>;
	/** The channel of direct messages with a user; the same each time. */
	direct(user: string): Promise<string>;
	/** Only the user who clicked or called sees it. */
	reply(interaction: DiscordInteraction, content: string): Promise<void>;
	/** The click has arrived; its outcome follows. */
	acknowledge(interaction: DiscordInteraction): Promise<void>;
	/** After an acknowledgement; only the user sees it. */
	followUp(interaction: DiscordInteraction, content: string): Promise<void>;
	setCommands(commands: readonly Command[]): Promise<void>;
	/** The bytes of an attachment, at most so many. */
	download(url: string, mostBytes: number): Promise<Uint8Array>;
}

/** `refused`: a repeat would get the same answer. `token`: Discord rejects the token itself. */
export class DiscordError extends Error {
	override readonly name = "DiscordError";
	readonly kind: "unavailable" | "refused" | "token";
	/** Discord's own code, such as 50013. */
	readonly code: number | undefined;
	readonly retryAfterMs: number;

	constructor(
		kind: DiscordError["kind"],
		message: string,
		{ code, retryAfterMs = 0 }: { code?: number | undefined; retryAfterMs?: number } = {},
	) {
		super(message);
		this.kind = kind;
		this.code = code;
		this.retryAfterMs = retryAfterMs;
	}

	get isPermission(): boolean {
		return this.code === 50_013 || this.code === 50_001;
	}

	/** The message is gone. */
	get isUnknownMessage(): boolean {
		return this.code === 10_008;
	}
}
