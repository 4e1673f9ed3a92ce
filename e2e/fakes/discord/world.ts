// Who and what there is: a bot, a server with two channels and twenty more for tests that share a bot, and direct messages.

export const APPLICATION = "100";
export const bot = { id: "100", username: "xw-bot", discriminator: "0", bot: true, avatar: null, global_name: null };
const GUILD = "400";
/** Types: 0 is a channel of a server, 1 a direct message. */
export const channels: ReadonlyMap<string, { readonly id: string; readonly type: number; readonly guild_id?: string }> = new Map([
	["300", { id: "300", type: 0, guild_id: GUILD }],
	["301", { id: "301", type: 0, guild_id: GUILD }],
	["310", { id: "310", type: 1 }],
	["311", { id: "311", type: 1 }],
	["312", { id: "312", type: 1 }],
	...Array.from({ length: 20 }, (_, n) => [String(320 + n), { id: String(320 + n), type: 0, guild_id: GUILD }] as const),
]);

/** The direct messages of each user. */
export const directOf: ReadonlyMap<string, string> = new Map([
	["200", "310"],
	["201", "311"],
	["999", "312"],
]);
/** Its user lets nobody write to them. */
export const CLOSED = "312";
/** The first second of ids. */
const FIRST_MS = 1_420_070_400_000n;

export interface StoredMessage {
	readonly id: string;
	readonly channel_id: string;
	readonly author: object;
	content: string;
	components: unknown;
	attachments: readonly { readonly id: string }[];
	readonly timestamp: string;
	edited_timestamp: string | null;
	readonly type: number;
	readonly message_reference?: { readonly message_id: string };
	readonly nonce?: string;
	/** How often it was edited; no part of the API. */
	edits: number;
	flags: number;
	allowed_mentions: unknown;
}

/** The messages of all channels, in the order in which they were sent. */
export class Messages {
	readonly all = new Map<string, StoredMessage>();
	readonly files = new Map<string, Buffer>();
	#last = 0n;

	/** With the time in it, as Discord's have. */
	newId(): string {
		const now = (BigInt(Date.now()) - FIRST_MS) << 22n;
		this.#last = now > this.#last ? now : this.#last + 1n;
		return String(this.#last);
	}

	add(message: Partial<StoredMessage> & Pick<StoredMessage, "channel_id" | "author" | "content">): StoredMessage {
		const stored: StoredMessage = {
			id: this.newId(),
			components: [],
			attachments: [],
			timestamp: new Date().toISOString(),
			edited_timestamp: null,
			type: 0,
			edits: 0,
			flags: 0,
			allowed_mentions: undefined,
			...message,
		};
		this.all.set(stored.id, stored);
		return stored;
	}

	/** As the API shows it: without what only the tests want to know. */
	static shown({ edits: _edits, allowed_mentions: _allowed, nonce: _nonce, ...message }: StoredMessage): object {
		const more = { tts: false, mention_everyone: false, mentions: [], mention_roles: [], embeds: [], pinned: false };
		return { ...message, ...more };
	}

	/** Those of a channel: after a message, or the last ones; newest first, as the API has it. */
	of(channel: string, after: string | null, limit: number): readonly StoredMessage[] {
		const there = [...this.all.values()].filter(({ channel_id: id }) => id === channel);
		const found = after === null ? there.slice(-limit) : there.filter(({ id }) => BigInt(id) > BigInt(after)).slice(0, limit);
		return found.toReversed();
	}
}
