import type { Channel } from "@xworkmate/contracts";
import { channelsWords } from "../../strings/channels-words.ts";

/** A value that a channel's set-up asks for. */
export interface ChannelField {
	readonly name: string;
	/** Stored with the accounts, and never shown again. */
	readonly isSecret?: true;
	readonly label: string;
	/** Where the value comes from. */
	readonly hint: string;
}

export interface FieldGroup {
	readonly title: string;
	/** Below the fields. */
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

/** The settings of each channel except email, in the order in which the user finds them. */
export const channelFields: Readonly<Record<"whatsapp" | "discord", readonly FieldGroup[]>> = {
	whatsapp: [
		{
			title: whatsapp.groups.access,
			fields: named(whatsapp.fields, ["accessToken", "phoneNumberId", "owner", "businessAccountId", "apiVersion"]),
		},
		{ title: whatsapp.groups.template, say: whatsapp.window, fields: named(whatsapp.fields, ["template", "templateLanguage"]) },
		{ title: whatsapp.groups.webhooks, say: whatsapp.webhook, fields: named(whatsapp.fields, ["appSecret", "verifyToken"]) },
	],
	discord: [
		{ title: discord.groups.access, say: discord.mentions, fields: named(discord.fields, ["owner", "channel"]) },
		{ title: discord.groups.times, fields: named(discord.fields, ["timezone"]) },
	],
};

/** What is known about a WhatsApp message's arrival: reports of it come if the bridge listens, and count if what they are signed with is set. */
export function trackingOf({ secrets, webhooks }: Pick<Channel, "secrets" | "webhooks">): "tracked" | "unheard" | "untracked" {
	if (webhooks?.listensOn === undefined) return "unheard";
	return secrets.includes("appSecret") && secrets.includes("verifyToken") ? "tracked" : "untracked";
}
