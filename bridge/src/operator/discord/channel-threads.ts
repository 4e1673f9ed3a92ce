import { SessionId, ThreadId } from "@xworkmate/contracts";
import type { OperatorStore } from "../../ports/operator-store.ts";
import type { DiscordWire } from "./discord-wire.ts";

/** Maps between Discord channels and threads: which thread a channel's messages belong to, and which channel shows a thread. */
export class ChannelThreads {
	readonly #store: OperatorStore;
	readonly #wire: Pick<DiscordWire, "isDirect">;
	readonly #allowed: ReadonlySet<string>;
	readonly #direct = new Map<string, boolean>();

	constructor(store: OperatorStore, wire: Pick<DiscordWire, "isDirect">, allowed: readonly string[]) {
		this.#store = store;
		this.#wire = wire;
		this.#allowed = new Set(allowed);
	}

	/** True for a channel that the settings name, and for a direct-message channel with one user. */
	async isAllowed(channel: string): Promise<boolean> {
		if (this.#allowed.has(channel)) return true;
		const isDirect = this.#direct.get(channel) ?? (await this.#wire.isDirect(channel));
		this.#direct.set(channel, isDirect);
		return isDirect;
	}

	/** Every channel that may have new messages. */
	async all(): Promise<readonly string[]> {
		return [...new Set([...this.#allowed, ...(await this.#store.channels())])];
	}

	async threadOf(channel: string): Promise<ThreadId> {
		const known = await this.#store.threadOf(channel);
		if (known !== undefined) return known;
		const first = ThreadId.parse(`discord-${channel}`);
		await this.#store.setThread(channel, first);
		return first;
	}

	/** Starts a new thread in the channel, with an id made from the interaction: a repeat of the interaction returns the same thread. */
	async begin(channel: string, interaction: string): Promise<ThreadId> {
		const thread = ThreadId.parse(`discord-${channel}-${interaction}`);
		await this.#store.setThread(channel, thread);
		return thread;
	}
}

/** The channel of a thread; undefined if the thread belongs to no channel. `since`: all of the thread's messages have higher ids. Pure. */
export function channelOf(threadId: string): { readonly channel: string; readonly since: bigint } | undefined {
	const [, channel, since = "0"] = /^discord-(\d{1,20})(?:-(\d{1,20}))?$/.exec(threadId) ?? [];
	return channel === undefined ? undefined : { channel, since: BigInt(since) };
}

export function sessionOf(threadId: ThreadId): SessionId {
	return SessionId.parse(threadId);
}
