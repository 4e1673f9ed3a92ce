import { isTimeZone, type Unavailable } from "@xworkmate/contracts";
import { z } from "zod";
import type { Stored } from "../set-up/channel-kind.ts";

const snowflake = z
	.string()
	.max(20)
	.regex(/^[1-9]\d*$/, "must be an ID copied from Discord");

const Settings = z.strictObject({
	/** The user's own id on Discord. */
	owner: snowflake.optional(),
	/** The channel for messages that name no recipient. Default: a direct message to the owner. */
	channel: snowflake.optional(),
	/** IANA name of the time zone for times that the user names on Discord. Default: the bridge's. */
	timezone: z.string().max(100).refine(isTimeZone, "must be a time zone, such as Europe/Berlin").optional(),
});
export const discordSettings = Object.keys(Settings.shape);

/** The bot that this bridge uses. */
export interface DiscordBot {
	/** The bot's token. Without it, this bridge has no bot. */
	readonly token?: string;
	/** The address of the API. Default: Discord's own. */
	readonly apiUrl?: string;
}

export interface DiscordApi {
	readonly base: URL;
	readonly token: string;
}

const OWN = "https://discord.com/api";

/** Why these settings cannot be stored. */
export function discordSettingsProblem({ settings, secrets }: Stored): string | undefined {
	if (Object.keys(secrets).length > 0) return "this channel can't store secrets";
	const issue = Settings.safeParse(settings).error?.issues[0];
	if (issue === undefined) return undefined;
	if (issue.code === "unrecognized_keys")
		return `${issue.keys.map((key) => key.slice(0, 100)).join(", ")} ${issue.keys.length === 1 ? "is not a setting" : "are not settings"}`;
	return `${issue.path.map(String).join(".")} ${issue.path[0] === "timezone" ? "must be a time zone, such as Europe/Berlin" : "must be an ID copied from Discord"}`;
}

/** The user who is set as the owner; undefined if none is set. */
export function discordUser({ settings }: Stored): string | undefined {
	return Settings.safeParse(settings).data?.owner;
}

/** The time zone for times that the user names on Discord; undefined if none is set. */
export function discordZone({ settings }: Stored): string | undefined {
	return Settings.safeParse(settings).data?.timezone;
}

/** The recipient of a message that names none. */
export function discordOwner({ settings }: Stored): string | undefined {
	const { owner, channel } = Settings.safeParse(settings).data ?? {};
	if (channel !== undefined) return `channel:${channel}`;
	return owner === undefined ? undefined : `user:${owner}`;
}

/** How the bot reaches Discord, or why it can't. */
export function readBot({ token, apiUrl = OWN }: DiscordBot): DiscordApi | Unavailable {
	if (token === undefined)
		return {
			code: "CHANNEL_NOT_SET_UP",
			message: "No Discord bot is set up.",
			fix: "Create a bot as docs/discord.md describes, store its token under Settings > Discord > Bot token, then restart the bridge.",
		};
	const base = new URL(`${apiUrl.replace(/\/$/, "")}/v10`);
	if (base.protocol !== "https:" && !isLoopback(base.hostname))
		return {
			code: "CHANNEL_INSECURE",
			message: "The bot's token would be sent to Discord unencrypted, so nothing is sent.",
			fix: "Set XWORKMATE_DISCORD_API to an https address, or leave it unset.",
		};
	return { base, token };
}

export function isApi(found: DiscordApi | Unavailable): found is DiscordApi {
	return "base" in found;
}

function isLoopback(host: string): boolean {
	return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
