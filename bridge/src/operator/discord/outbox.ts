import { createHash } from "node:crypto";
import type { OccurrenceId, RunId } from "@xworkmate/contracts";
import { type Clock, timestamp } from "../../ports/clock.ts";
import type { OperatorPost, OperatorStore, PostState } from "../../ports/operator-store.ts";
import type { ChannelRequest, DiscordStatus } from "./discord-status.ts";
import { DiscordError, type DiscordMessage, type DiscordWire, type PostBody } from "./discord-wire.ts";

export interface OutboxParts {
	readonly wire: DiscordWire;
	readonly store: OperatorStore;
	readonly status: DiscordStatus;
	readonly clock: Clock;
	/** The bot's own id, once it is known. */
	readonly me: () => string | undefined;
	readonly log: (error: unknown, what: string) => void;
	readonly stopped: AbortSignal;
}

export interface Wanted extends PostBody {
	readonly channel: string;
	/** The run or the occurrence that the post is about. */
	readonly runId: RunId | OccurrenceId;
	readonly kind: string;
	readonly reference?: string;
}

/** How long Discord is certain to remember a nonce. */
const NONCE_MS = 2 * 60_000;
/** How far clocks may differ when checking whether a post can have arrived. */
const CLOCKS_MS = 5 * 60_000;
const HISTORY = 100;
const FIRST_WAIT_MS = 500;
const MOST_WAIT_MS = 30_000;
/** After trying for this long, a post is left for the next connection. */
const GIVE_UP_MS = 15 * 60_000;

/**
 * Posts messages. Each is recorded first, and sent again only if Discord would recognize its nonce or the post certainly did not arrive.
 */
export class Outbox {
	readonly #parts: OutboxParts;

	/** Nonces of the posts being sent. */
	readonly #sending = new Set<string>();

	constructor(parts: OutboxParts) {
		this.#parts = parts;
	}

	/** How many posts may or may not have arrived. */
	async unknownCount(): Promise<number> {
		return (await this.#parts.store.unfinishedPosts()).filter(({ nonce }) => !this.#sending.has(nonce)).length;
	}

	/** The kinds of posts that were recorded for a run, whether sent or not. */
	async kindsOf(runId: RunId | OccurrenceId): Promise<readonly string[]> {
		return (await this.#parts.store.postsOf(runId)).map(({ kind }) => kind);
	}

	/**
	 * Posts a message, unless it was posted or refused earlier, and returns its id; undefined if there is no id or it is not known. Never
	 * rejects because of Discord.
	 */
	async post(wanted: Wanted): Promise<string | undefined> {
		const { store, clock } = this.#parts;
		const nonce = nonceOf(wanted.runId, wanted.kind);
		const known = await store.post(nonce);
		if (known !== undefined && known.state !== "intended") return known.message;
		const { channel, runId, kind } = wanted;
		const row: OperatorPost = known ?? { nonce, channel, runId, kind, state: "intended", at: timestamp(clock.now()) };
		this.#sending.add(nonce);
		try {
			// Recorded before it is sent, so that after a crash, the bridge looks for the post instead of sending it twice.
			if (known === undefined) await store.savePost(row);
			return await this.#untilSent(row, wanted);
		} finally {
			this.#sending.delete(nonce);
		}
	}

	/**
	 * `done`: the message now has this content. `gone`: it no longer exists. `refused`: Discord would refuse the same edit again. `failed`:
	 * it did not accept the edit in time.
	 */
	async edit(channel: string, message: string, body: PostBody): Promise<"done" | "gone" | "refused" | "failed"> {
		const { wire } = this.#parts;
		const done = await this.#persist(async () => {
			await this.#asked(channel, "edit", () => wire.edit(channel, message, body));
			return "done" as const;
		});
		return done instanceof DiscordError ? (done.isUnknownMessage ? "gone" : "refused") : (done ?? "failed");
	}

	/** Records that the posts of a run were changed in some way, so that the change is not made again. */
	async note(runId: RunId | OccurrenceId, kind: string, channel: string, message?: string): Promise<void> {
		const at = timestamp(this.#parts.clock.now());
		const nonce = nonceOf(runId, kind);
		await this.#parts.store.savePost({ nonce, channel, runId, kind, state: "sent", at, ...(message === undefined ? {} : { message }) });
	}

	/** The channel and id of a post; undefined unless the post is known to have been sent. */
	async posted(runId: RunId | OccurrenceId, kind: string): Promise<{ readonly channel: string; readonly message: string } | undefined> {
		const { channel, message, state } = (await this.#parts.store.post(nonceOf(runId, kind))) ?? {};
		return state === "sent" && channel !== undefined && message !== undefined ? { channel, message } : undefined;
	}

	async isNoted(runId: RunId | OccurrenceId, kind: string): Promise<boolean> {
		return (await this.stateOf(runId, kind)) === "sent";
	}

	/** What became of a post; undefined if it was never recorded. */
	async stateOf(runId: RunId | OccurrenceId, kind: string): Promise<PostState | undefined> {
		return (await this.#parts.store.post(nonceOf(runId, kind)))?.state;
	}

	async #untilSent(row: OperatorPost, wanted: Wanted): Promise<string | undefined> {
		const { wire, store } = this.#parts;
		const { channel, runId: _run, kind: _kind, ...body } = wanted;
		const message = await this.#persist(async () => {
			if (this.#isOld(row)) {
				const before = await this.#find(row, wanted);
				if (before !== "absent") return before;
			}
			return await this.#asked(channel, "post", () => wire.post(channel, { ...body, nonce: row.nonce }));
		});
		if (message === undefined) return undefined;
		if (message instanceof DiscordError) {
			await store.savePost({ ...row, state: "failed" });
			return undefined;
		}
		await store.savePost({ ...row, state: "sent", message });
		return message;
	}

	/** True if Discord may have forgotten the nonce. */
	#isOld({ at }: OperatorPost): boolean {
		return this.#parts.clock.now() - Date.parse(at) > NONCE_MS;
	}

	/** The id of the post in the channel; "absent" if it is certainly not there; undefined if that is not known. */
	async #find(row: OperatorPost, wanted: Wanted): Promise<string | "absent" | undefined> {
		const { channel } = wanted;
		const messages = await this.#asked(channel, "history", () => this.#parts.wire.messages(channel));
		const found = messages.find((message) => message.author.id === this.#parts.me() && isSame(message, wanted));
		if (found !== undefined) return found.id;
		const oldest = messages[0];
		const isAll = messages.length < HISTORY || (oldest !== undefined && Date.parse(oldest.timestamp) < Date.parse(row.at) - CLOCKS_MS);
		return isAll ? "absent" : undefined;
	}

	/** Makes a request, and notes whether Discord let the bot make it in this channel. */
	async #asked<T>(channel: string, request: ChannelRequest, ask: () => Promise<T>): Promise<T> {
		const { status } = this.#parts;
		try {
			const answer = await ask();
			status.acceptedIn(channel, request);
			return answer;
		} catch (error) {
			if (error instanceof DiscordError && error.isPermission) status.forbidden(channel, request);
			throw error;
		}
	}

	/** Tries until Discord accepts or refuses, within a time limit. Undefined if Discord did neither, or if it rejected the token. */
	async #persist<T>(act: () => Promise<T>): Promise<T | DiscordError | undefined> {
		const { status, clock, stopped, log } = this.#parts;
		const end = clock.now() + GIVE_UP_MS;
		if (status.isRefused) return undefined;
		for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, MOST_WAIT_MS)) {
			try {
				return await act();
			} catch (error) {
				if (!(error instanceof DiscordError)) throw error;
				if (error.kind === "token") {
					// The token was rejected, not this message, which can still be posted with another token.
					status.refused("DISCORD_TOKEN_REJECTED");
					return undefined;
				}
				if (error.kind !== "unavailable") {
					log(error, "Discord refused a request");
					return error;
				}
				const pause = Math.max(waitMs, error.retryAfterMs);
				if (stopped.aborted || clock.now() + pause > end) return undefined;
				await this.#pause(pause);
				if (stopped.aborted) return undefined;
			}
		}
	}

	async #pause(milliseconds: number): Promise<void> {
		const { clock, stopped } = this.#parts;
		const { promise, resolve } = Promise.withResolvers<void>();
		const done = () => resolve();
		using _timer = clock.at(clock.now() + milliseconds, done);
		stopped.addEventListener("abort", done, { once: true });
		await promise;
		stopped.removeEventListener("abort", done);
	}
}

/** The nonce of a post, the same for every attempt. Discord accepts at most 25 characters. Pure. */
export function nonceOf(runId: string, kind: string): string {
	return createHash("sha256").update(`${runId}\n${kind}`).digest("base64url").slice(0, 24);
}

/**
 * Whether a message is the wanted post: a request is recognized by its buttons, an answer by the message that it replies to, everything
 * else by its text.
 */
function isSame(message: DiscordMessage, { content, buttons, reference }: Wanted): boolean {
	const [button] = buttons ?? [];
	if (button !== undefined) return JSON.stringify(message.components ?? null).includes(JSON.stringify(button.customId));
	if (reference !== undefined) return message.message_reference?.message_id === reference;
	return message.content.trim() === content.trim();
}
