import { z } from "zod";
import type { PostFile } from "./text/answer-plan.ts";
import type { Button } from "./text/approval-plan.ts";

// The parts of Discord's API that this folder uses.

const Snowflake = z.string().regex(/^\d{1,20}$/);
const User = z.object({ id: Snowflake, username: z.string(), bot: z.boolean().optional() });

export const DiscordMessage = z.object({
	id: Snowflake,
	channel_id: Snowflake,
	/** Absent in direct messages, and in messages that are fetched. */
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
	/** 2: an application command. 3: a button. */
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
	/** In an edit, replaces the file that the post had; null removes it. Absent: an edit keeps it. */
	readonly file?: PostFile | null;
}

export interface NewPost extends PostBody {
	readonly nonce: string;
	/** The id of the message that this one replies to. */
	readonly reference?: string;
}

export interface Command {
	readonly name: string;
	readonly description: string;
}

/** The calls to Discord that this bridge makes. A failed one throws a DiscordError. */
export interface DiscordWire {
	/** Returns the message's id, or that of an earlier message with the same nonce, if Discord remembers it. */
	post(channel: string, post: NewPost): Promise<string>;
	edit(channel: string, message: string, body: PostBody): Promise<void>;
	/** At most 100 messages, oldest first: those after a given message, or the latest. */
	messages(channel: string, after?: string): Promise<readonly DiscordMessage[]>;
	/** True for the direct messages of one user. */
	isDirect(channel: string): Promise<boolean>;
	/** The direct-message channel of a user, which is always the same. */
	direct(user: string): Promise<string>;
	/** Sends a reply that only the user who pressed the button or ran the command can see. */
	reply(interaction: DiscordInteraction, content: string): Promise<void>;
	/** Confirms that a press has arrived; its outcome follows. */
	acknowledge(interaction: DiscordInteraction): Promise<void>;
	/** Replies after an acknowledgement. Only the user sees the reply. */
	followUp(interaction: DiscordInteraction, content: string): Promise<void>;
	setCommands(commands: readonly Command[]): Promise<void>;
	/** The bytes of an attachment. One that is larger than the limit is refused. */
	download(url: string, mostBytes: number): Promise<Uint8Array>;
}

/** `unavailable`: a repeat may succeed. `refused`: a repeat would get the same answer. `token`: Discord rejects the token itself. */
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

	/** True if the message no longer exists. */
	get isUnknownMessage(): boolean {
		return this.code === 10_008;
	}
}
