import type { Channel } from "@xworkmate/contracts";
import { channelsWords } from "../../strings/plans/channels-words.ts";

/** A value that the user can enter to set up a channel. */
export interface ChannelField {
	readonly name: string;
	/** Stored with the accounts, and never shown again. */
	readonly isSecret?: true;
	readonly label: string;
	/** Where the user finds the value. */
	readonly hint: string;
}

export interface FieldGroup {
	readonly title: string;
	/** Text below the fields. */
	readonly say?: string;
	readonly fields: readonly ChannelField[];
}

const { whatsapp, discord } = channelsWords;
const secrets: ReadonlySet<string> = new Set(["accessToken", "appSecret", "verifyToken"]);

function named<Name extends string>(
	fields: Readonly<Record<Name, { readonly label: string; readonly hint: string }>>,
	names: readonly Name[],
) {
	return names.map((name): ChannelField => ({ name, ...fields[name], ...(secrets.has(name) && { isSecret: true as const }) }));
}

/** The settings of WhatsApp and Discord, in the order in which the user needs them. */
export const channelFields: Readonly<Record<"whatsapp" | "discord", readonly FieldGroup[]>> = {
	whatsapp: [
		{
			title: whatsapp.groups.access,
			fields: named(whatsapp.fields, ["accessToken", "phoneNumberId", "owner", "apiVersion"]),
		},
		{ title: whatsapp.groups.template, say: whatsapp.window, fields: named(whatsapp.fields, ["template", "templateLanguage"]) },
		{ title: whatsapp.groups.webhooks, say: whatsapp.webhook, fields: named(whatsapp.fields, ["appSecret", "verifyToken"]) },
	],
	discord: [
		{ title: discord.groups.access, say: discord.mentions, fields: named(discord.fields, ["owner", "channel"]) },
		{ title: discord.groups.times, fields: named(discord.fields, ["timezone"]) },
	],
};

/**
 * Whether the bridge can track the arrival of WhatsApp messages: it has to listen for reports, and the secrets that verify them have to be
 * set. The page cannot tell whether Meta sends any.
 */
export function trackingOf({ secrets, webhooks }: Pick<Channel, "secrets" | "webhooks">): "tracked" | "unheard" | "untracked" {
	if (webhooks?.listensOn === undefined) return "unheard";
	return secrets.includes("appSecret") && secrets.includes("verifyToken") ? "tracked" : "untracked";
}
