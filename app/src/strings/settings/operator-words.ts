import type { OperatorFindingCode, OperatorState } from "@xworkmate/contracts";

export const operatorStateWords: Readonly<Record<OperatorState, string>> = {
	off: "Not set up",
	connecting: "Connecting",
	connected: "Connected",
	slowed: "Rate limited by Discord",
	lost: "Connection lost, trying again",
	refused: "Rejected by Discord",
};

/** What is wrong, in a few words. The bridge's own message and fix are shown beside it. */
export const operatorFindingWords: Readonly<Record<OperatorFindingCode, string>> = {
	DISCORD_TOKEN_REJECTED: "Discord rejected the bot’s token",
	DISCORD_INTENT_MISSING: "The bot can’t read messages",
	DISCORD_PERMISSION_MISSING: "A permission was missing",
	DISCORD_NO_APPROVER: "No one can approve requests on Discord",
	DISCORD_UNREACHABLE: "Discord can’t be reached",
};

/** Settings > Discord. */
export const discordWords = {
	off: "With a Discord bot, you can talk to XWorkmate from Discord and answer requests there with a button.",
	on: "Messages to the bot start runs, and requests for approval appear as posts with buttons.",
	onWithoutApprover: "Messages to the bot from users that you allow start runs. Requests for approval are answered in XWorkmate.",
	problems: { one: "1 problem", many: "{count} problems" },
	works: "No problems",
	problemsTitle: "Problems",
	connection: "Connection",
	bot: "bot",
	since: "since {time}",
	again: "Check again",
	loading: "Checking Discord…",
	failed: "Couldn’t check the Discord connection.",
	unknownPosts: {
		one: "1 post may not have arrived. Check its channel: XWorkmate posts it again only if it can tell that the post isn’t there.",
		many: "{count} posts may not have arrived. Check their channels: XWorkmate posts one again only if it can tell that the post isn’t there.",
	},
	howTitle: "Setup",
	how: [
		"In the Discord Developer Portal, create an application, add a bot to it, and copy the bot’s token.",
		"On the bot’s page, turn on Message Content Intent.",
		"Invite the bot to your server with the permissions View Channels, Send Messages, Attach Files and Read Message History.",
		"In Discord, turn on Developer Mode, right-click your name and copy your user ID; right-click a channel to copy its ID.",
		"Store the bot’s token below, enter the IDs of the approvers and the channels, then restart the bridge. The token is kept in a file that only you can read.",
	],
} as const;
