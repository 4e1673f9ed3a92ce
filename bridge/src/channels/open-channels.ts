import { type ChannelId, omitUndefined, type Redaction, type Timestamp } from "@xworkmate/contracts";
import type { DeliveryChannel } from "../ports/channels/channel.ts";
import type { KeyedTold, ReplyWindows } from "../ports/channels/channel-news.ts";
import type { ChannelService } from "../ports/channels/channel-service.ts";
import type { Clock } from "../ports/clock.ts";
import type { PlanStore } from "../ports/plans/plan-store.ts";
import { DashboardChannel } from "./dashboard/dashboard-channel.ts";
import { MOST_CHARACTERS } from "./discord/build-post.ts";
import { discordAddress } from "./discord/discord-address.ts";
import { DiscordChannel } from "./discord/discord-channel.ts";
import { type DiscordBot, discordSettings, discordSettingsProblem, discordUser, discordZone } from "./discord/discord-settings.ts";
import { emailAddress } from "./email/email-address.ts";
import { EmailChannel } from "./email/email-channel.ts";
import { emailSecrets, emailSettings, emailSettingsProblem } from "./email/email-settings.ts";
import { bidi, invisible } from "./lint/hidden-characters.ts";
import { credentials, linkText, remoteImage } from "./lint/links.ts";
import { allOf } from "./lint/lint-check.ts";
import { plainText, tables, tooLong } from "./lint/plain-text.ts";
import { secret } from "./lint/secret.ts";
import { AddressError, type ChannelKind, type Stored } from "./set-up/channel-kind.ts";
import { ChannelMethods } from "./set-up/channel-methods.ts";
import { ChannelTests } from "./set-up/channel-tests.ts";
import { ChannelsFile } from "./set-up/channels-file.ts";
import { ContactBook, type Recipient } from "./set-up/contact-book.ts";
import { phoneAddress } from "./whatsapp/phone-address.ts";
import { toldByWebhook } from "./whatsapp/webhook-told.ts";
import { WhatsAppChannel } from "./whatsapp/whatsapp-channel.ts";
import { whatsAppSecrets, whatsAppSettings, whatsAppSettingsProblem } from "./whatsapp/whatsapp-settings.ts";

/** The length that an agent is asked not to exceed, in UTF-16 units. WhatsApp itself accepts more. */
const WHATSAPP_CHARACTERS = 2_000;

export interface ChannelsOptions {
	/** The folder of the channels' files. */
	readonly bridgeHome: string;
	/** Receives the channels' secrets whenever they are read or set, before anything uses them. */
	readonly redaction: Redaction;
	readonly clock: Pick<Clock, "now">;
	readonly store: Pick<PlanStore, "inbox" | "mark">;
	/** If absent, this bridge receives no reports from services, so it only knows what they accepted. */
	readonly news?: { readonly listensOn: string; readonly windows: Pick<ReplyWindows, "until"> };
	/** The assistant's bot, which the channel uses too. */
	readonly discord?: DiscordBot;
}

export interface OpenedChannels {
	readonly channels: ReadonlyMap<ChannelId, DeliveryChannel>;
	readonly service: ChannelService;
	/**
	 * Who a message goes to: a contact, or the channel's owner.
	 * @throws ContractError RECIPIENT_REQUIRED, RECIPIENT_UNKNOWN, CHANNEL_UNAVAILABLE, INVALID_PARAMS for a contact's address
	 */
	resolveRecipient(channel: ChannelId, contactId: string | undefined): Recipient;
	/**
	 * Must be called when a channel has refused a message for a reason that concerns the channel itself: its last test no longer counts,
	 * unless it began after the refusal. `at`: when the channel refused; absent: just now.
	 * @throws ContractError CHANNEL_UNAVAILABLE if the file of the tests can't be used
	 */
	refused(channel: ChannelId, at?: Timestamp): void;
	/** How WhatsApp's webhook calls are verified and read, under the current settings. */
	readonly whatsappWebhook: {
		secrets(): { readonly appSecret?: string; readonly verifyToken?: string };
		told(body: unknown): readonly KeyedTold[];
	};
	/**
	 * Calls back when the methods have changed a channel or a contact, and when `refused` was called. Returns a function that unsubscribes.
	 */
	onChanged(listener: () => void): () => void;
	/**
	 * The user whom the bot asks about messages that need review: the owner in Discord's settings. Undefined: none is set, or the settings
	 * can't be read.
	 */
	discordUser(): string | undefined;
	/** The time zone for times that the user names on Discord. Undefined: none is set, or the settings can't be read. */
	discordZone(): string | undefined;
}

/** Opens the channels of this bridge, with their settings and contacts. */
export function openChannels({ bridgeHome, redaction, clock, store, news, discord: bot = {} }: ChannelsOptions): OpenedChannels {
	const file = new ChannelsFile(bridgeHome, (secrets) => redaction.know(secrets));
	const lint = allOf(invisible, bidi, remoteImage, linkText, credentials, secret(redaction));
	file.learnSecrets();
	const email: ChannelKind = {
		channel: new EmailChannel({ read: () => file.read("email"), lint, clock }),
		name: "Email",
		settings: emailSettings,
		secrets: emailSecrets,
		settingsProblem: emailSettingsProblem,
		address: emailAddress,
	};
	const whatsapp: ChannelKind = {
		channel: new WhatsAppChannel({
			read: () => file.read("whatsapp"),
			lint: allOf(tooLong(WHATSAPP_CHARACTERS), plainText, lint),
			clock,
			listensOn: news?.listensOn,
			windows: news?.windows,
		}),
		name: "WhatsApp",
		settings: whatsAppSettings,
		secrets: whatsAppSecrets,
		settingsProblem: whatsAppSettingsProblem,
		address: phoneAddress,
	};
	const dashboard: ChannelKind = {
		channel: new DashboardChannel({ lint }),
		name: "The dashboard",
		settings: [],
		secrets: [],
		settingsProblem: () => undefined,
		address: () => {
			throw new AddressError("The inbox is only for you, so contacts have no address there.");
		},
	};
	const discord: ChannelKind = {
		channel: new DiscordChannel({ bot, read: () => file.read("discord"), lint: allOf(tooLong(MOST_CHARACTERS), tables, lint), clock }),
		name: "Discord",
		settings: discordSettings,
		secrets: [],
		basis: [bot.token, bot.apiUrl],
		settingsProblem: discordSettingsProblem,
		address: discordAddress,
	};
	const kinds = new Map([email, whatsapp, discord, dashboard].map((kind) => [kind.channel.channel, kind]));
	const listeners = new Set<() => void>();
	const changed = () => {
		for (const listener of listeners) listener();
	};
	const contacts = new ContactBook(file, kinds);
	const setOfDiscord = (wanted: (stored: Stored) => string | undefined) => {
		const read = file.read("discord");
		return read.kind === "unusable" ? undefined : wanted(read.stored);
	};
	const tests = new ChannelTests(bridgeHome);
	const methods = new ChannelMethods({ kinds, file, tests, contacts, clock, onChanged: changed });
	const then = <T>(answer: T): T => {
		changed();
		return answer;
	};
	return {
		channels: new Map([...kinds].map(([id, { channel }]) => [id, channel])),
		resolveRecipient: (channel, contactId) => contacts.resolve(channel, contactId),
		refused: (channel, at) => {
			tests.outdate(channel, at);
			changed();
		},
		whatsappWebhook: openWebhook(file),
		onChanged: (listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		discordUser: () => setOfDiscord(discordUser),
		discordZone: () => setOfDiscord(discordZone),
		service: {
			"channels.list": () => methods.list(),
			"channels.configure": (params) => methods.configure(params),
			"channels.remove": (params) => methods.remove(params),
			"channels.test": (params) => methods.test(params),
			"contacts.list": () => contacts.list(),
			"contacts.put": async (params) => then(await contacts.put(params)),
			"contacts.remove": async (params) => then(await contacts.remove(params)),
			"inbox.list": async (params) => {
				const { items, unread, nextCursor } = await store.inbox(params);
				return { items: [...items], unread, ...(nextCursor !== undefined && { nextCursor }) };
			},
			"inbox.mark": async ({ messageIds, read }) => ({ unread: await store.mark(messageIds, read) }),
		},
	};
}

/** While the files cannot be used, there are no secrets, so the webhook server refuses every request. */
function openWebhook(file: ChannelsFile): OpenedChannels["whatsappWebhook"] {
	const read = () => {
		const found = file.read("whatsapp");
		return found.kind === "stored" ? found.stored : { settings: {}, secrets: {} };
	};
	return {
		secrets: () => {
			const { appSecret, verifyToken } = read().secrets;
			return omitUndefined({ appSecret, verifyToken });
		},
		told: (body) => {
			const { phoneNumberId } = read().settings;
			return toldByWebhook(body, phoneNumberId === undefined ? undefined : String(phoneNumberId));
		},
	};
}
