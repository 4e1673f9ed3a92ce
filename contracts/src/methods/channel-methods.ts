import { z } from "zod";
import { Channel, ChannelId, ChannelTestStep, Contact, ContactId, InboxMessage } from "../channels/channel.ts";
import { RequestId } from "../ids/plan-id.ts";
import { type MethodDefinition, page } from "./method-definition.ts";

const setting = z.union([z.string().max(2_000), z.int(), z.boolean()]);

/** Where messages go, and to whom. Secrets can be written but never read. */
export const channelMethods = {
	"xworkmate.channels.list": {
		params: z.strictObject({}),
		result: z.object({ channels: z.array(Channel) }),
		streams: false,
		effects: false,
		summary: "Channels, with their state and problems.",
	},
	"xworkmate.channels.configure": {
		params: z.strictObject({
			channel: ChannelId,
			/** The settings named here are changed; `null` removes one. */
			settings: z.record(z.string().max(100), setting.nullable()).default({}),
			/** Stored in channel-secrets.json and never shown; `null` removes one. */
			secrets: z.record(z.string().max(100), z.string().max(16_384).nullable()).default({}),
		}),
		result: Channel,
		streams: false,
		effects: true,
		summary: "Sets up a channel.",
	},
	"xworkmate.channels.remove": {
		params: z.strictObject({ channel: ChannelId }),
		result: Channel,
		streams: false,
		effects: true,
		summary: "Deletes a channel's settings and secrets.",
	},
	"xworkmate.channels.test": {
		params: z.strictObject({ channel: ChannelId, requestId: RequestId, recipient: z.string().min(1).max(64).optional() }),
		result: z.object({ channel: Channel, ok: z.boolean(), steps: z.array(ChannelTestStep), tookMs: z.int().min(0) }),
		streams: false,
		effects: true,
		summary: "Sends one real message, within 30 s. Repeating a requestId sends nothing.",
	},
	"xworkmate.contacts.list": {
		params: z.strictObject({}),
		result: z.object({ contacts: z.array(Contact) }),
		streams: false,
		effects: false,
		summary: "The people who can receive messages.",
	},
	"xworkmate.contacts.put": {
		params: z.strictObject(Contact.shape),
		result: Contact,
		streams: false,
		effects: true,
		summary: "Adds or replaces a contact. The result has each address in the form that its channel uses.",
	},
	"xworkmate.contacts.remove": {
		params: z.strictObject({ contactId: ContactId }),
		result: z.object({ contacts: z.array(Contact) }),
		streams: false,
		effects: true,
		summary: "Removes a contact. Messages to it that have not been sent are held.",
	},
	"xworkmate.inbox.list": {
		params: z.strictObject({ unread: z.literal(true).optional(), ...page }),
		result: z.object({ items: z.array(InboxMessage), unread: z.int().min(0), nextCursor: z.string().optional() }),
		streams: false,
		effects: false,
		summary: "Messages on the dashboard, newest first.",
	},
	"xworkmate.inbox.mark": {
		params: z.strictObject({ messageIds: z.array(z.string().max(100)).min(1).max(200), read: z.boolean() }),
		result: z.object({ unread: z.int().min(0) }),
		streams: false,
		effects: true,
		summary: "Marks messages as read or unread.",
	},
} as const satisfies Record<string, MethodDefinition>;
