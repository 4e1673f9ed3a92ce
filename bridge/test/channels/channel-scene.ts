import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type InboxMessage, Redaction } from "@xworkmate/contracts";
import type { DiscordBot } from "../../src/channels/discord/discord-settings.ts";
import { type OpenedChannels, openChannels } from "../../src/channels/open-channels.ts";
import type { InboxQuery } from "../../src/ports/plans/plan-store.ts";

/** Channels over a home of their own. */
export class ChannelScene implements Disposable {
	readonly home = mkdtempSync(join(tmpdir(), "channels-"));
	readonly redaction = new Redaction([]);
	/** Newest first. */
	readonly inbox: InboxMessage[] = [];
	opened: OpenedChannels;

	constructor() {
		this.opened = this.#open();
	}

	get service(): OpenedChannels["service"] {
		return this.opened.service;
	}

	/** As another bridge on the same home. */
	reopen(discord?: DiscordBot): void {
		this.opened = this.#open(discord);
	}

	/** The text of a file of the home. */
	text(name: string): string {
		return readFileSync(join(this.home, name), "utf8");
	}

	write(name: string, text: string, mode = 0o600): void {
		writeFileSync(join(this.home, name), text, { mode });
	}

	[Symbol.dispose](): void {
		rmSync(this.home, { recursive: true });
	}

	#open(discord: DiscordBot = {}): OpenedChannels {
		const unread = () => this.inbox.filter(({ read }) => !read).length;
		return openChannels({
			bridgeHome: this.home,
			discord,
			redaction: this.redaction,
			clock: { now: () => Date.UTC(2026, 3, 1) },
			store: {
				inbox: async ({ unread: isUnread, limit }: InboxQuery) => ({
					items: this.inbox.filter(({ read }) => isUnread !== true || !read).slice(0, limit),
					unread: unread(),
				}),
				mark: async (messageIds, read) => {
					for (const message of this.inbox) if (messageIds.includes(message.messageId)) message.read = read;
					return unread();
				},
			},
		});
	}
}
