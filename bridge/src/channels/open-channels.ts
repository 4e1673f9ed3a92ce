import { type ChannelId, omitUndefined, type Redaction } from "@xworkmate/contracts";
import type { DeliveryChannel } from "../ports/channel.ts";
import type { KeyedTold } from "../ports/channel-news.ts";
import type { Clock } from "../ports/clock.ts";
import type { ChannelService } from "../ports/plan-service.ts";
import type { PlanStore } from "../ports/plan-store.ts";
import { DashboardChannel } from "./dashboard/dashboard-channel.ts";
import { emailAddress } from "./email/email-address.ts";
import { EmailChannel } from "./email/email-channel.ts";
import { emailSecrets, emailSettings, emailSettingsProblem } from "./email/email-settings.ts";
import { bidi, invisible } from "./lint/hidden-characters.ts";
import { credentials, linkText, remoteImage } from "./lint/links.ts";
import { allOf } from "./lint/lint-check.ts";
import { secret } from "./lint/secret.ts";
import { AddressError, type ChannelKind } from "./set-up/channel-kind.ts";
import { ChannelMethods } from "./set-up/channel-methods.ts";
import { ChannelTests } from "./set-up/channel-tests.ts";
import { ChannelsFile } from "./set-up/channels-file.ts";
import { ContactBook, type Recipient } from "./set-up/contact-book.ts";
import { toldByWebhook } from "./whatsapp/webhook-told.ts";

export interface ChannelsOptions {
	/** Where the files of the channels are. */
	readonly bridgeHome: string;
	/** Learns the secrets of the channels whenever they are read or set, before anybody uses them. */
	readonly redaction: Redaction;
	readonly clock: Pick<Clock, "now">;
	readonly store: Pick<PlanStore, "inbox" | "mark">;
}

export interface OpenedChannels {
	readonly channels: ReadonlyMap<ChannelId, DeliveryChannel>;
	readonly service: ChannelService;
	/**
	 * Whom a message goes to: a contact, or the channel's owner.
	 * @throws ContractError RECIPIENT_REQUIRED, RECIPIENT_UNKNOWN, CHANNEL_UNAVAILABLE
	 */
	resolveRecipient(channel: ChannelId, contactId: string | undefined): Recipient;
	/** What a webhook of WhatsApp is checked by, and what it says; as it is set now. */
	readonly whatsappWebhook: {
		secrets(): { readonly appSecret?: string; readonly verifyToken?: string };
		told(body: unknown): readonly KeyedTold[];
	};
	/** Calls back when a channel or a contact was changed through the service. Returns a function that unsubscribes. */
	onChanged(listener: () => void): () => void;
}

/** The channels of this bridge, with what is set of them and whom they reach. */
export function openChannels({ bridgeHome, redaction, clock, store }: ChannelsOptions): OpenedChannels {
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
	const dashboard: ChannelKind = {
		channel: new DashboardChannel({ lint }),
		name: "The dashboard",
		settings: [],
		secrets: [],
		settingsProblem: () => undefined,
		address: () => {
			throw new AddressError("The dashboard is yours alone, so nobody has an address there.");
		},
	};
	const kinds = new Map([email, dashboard].map((kind) => [kind.channel.channel, kind]));
	const listeners = new Set<() => void>();
	const changed = () => {
		for (const listener of listeners) listener();
	};
	const contacts = new ContactBook(file, kinds);
	const methods = new ChannelMethods({ kinds, file, tests: new ChannelTests(bridgeHome), contacts, clock, onChanged: changed });
	const then = <T>(answer: T): T => {
		changed();
		return answer;
	};
	return {
		channels: new Map([...kinds].map(([id, { channel }]) => [id, channel])),
		resolveRecipient: (channel, contactId) => contacts.resolve(channel, contactId),
		whatsappWebhook: openWebhook(file),
		onChanged: (listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
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

/** Nobody is let in while the files can't be used. */
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
