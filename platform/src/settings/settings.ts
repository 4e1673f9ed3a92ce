import { homedir } from "node:os";
import { delimiter } from "node:path";
import { defaultLimits, limits, ProviderId } from "@xworkmate/contracts";
import { z } from "zod";
import { ListenAddress } from "./listen-address.ts";
import { choice, count, list, onOff, setting } from "./setting-row.ts";
import { absolutePath, hostName, origin, snowflake, token, webAddress } from "./setting-values.ts";

const HEARTBEAT_MS = 10_000;
const DAY_MS = 24 * 60 * 60_000;

/** Every XWORKMATE_ variable that the bridge reads (docs/protocol.md#files-and-settings). Empty counts as unset. */
export const Environment = z.object({
	XWORKMATE_HOME: setting(absolutePath.default(`${homedir()}/.xworkmate`), {
		meaning: "Folder for everything that XWorkmate saves; mode 0700.",
		group: "bridge",
		default: "~/.xworkmate",
		inFile: false,
	}),
	XWORKMATE_BRIDGE_LISTEN: setting(ListenAddress.default({ host: "127.0.0.1", port: 8787 }), {
		meaning: "Address the bridge listens on; port 0 picks any free port.",
		group: "bridge",
		default: "127.0.0.1:8787",
	}),
	XWORKMATE_TOKEN: setting(token.optional(), {
		meaning:
			"Bearer token; at least 16 characters if other computers can reach the bridge. If unset, the token in <home>/bridge/token, which the first start creates.",
		group: "bridge",
		secret: true,
	}),
	XWORKMATE_ALLOWED_HOSTS: list(",", hostName, {
		meaning: "Host names that requests may use in addition to localhost, 127.0.0.1 and [::1].",
		group: "bridge",
	}),
	XWORKMATE_ALLOWED_ORIGINS: list(",", origin, {
		meaning: "Origins of web pages that may call the bridge.",
		group: "bridge",
	}),
	XWORKMATE_ALLOWED_ROOTS: list(
		delimiter,
		absolutePath,
		{ meaning: "Project folders: a thread may work in them and in the folders inside them.", group: "folders", live: true },
		"folder",
	),
	XWORKMATE_DEFAULT_PROVIDER: setting(ProviderId.optional(), {
		meaning: "Agent for messages that do not name one.",
		group: "agents",
		live: true,
	}),
	XWORKMATE_MAX_ACTIVE_RUNS: count(defaultLimits.maxActiveRuns, 1, 1000, {
		meaning: "Maximum number of concurrent runs on this computer.",
		group: "runs",
		live: true,
	}),
	XWORKMATE_RUN_BUDGET_MS: count(
		defaultLimits.runBudgetMs,
		100,
		30 * DAY_MS,
		{ meaning: "Time limit of a run, not counting the time it waits for your approval.", group: "runs", live: true },
		"ms",
	),
	XWORKMATE_OPENCLAW_URL: setting(
		z.url({ protocol: /^(wss?|https?)$/, error: "must be an address such as ws://127.0.0.1:18789" }).optional(),
		{ meaning: "Address of the OpenClaw gateway.", group: "openclaw" },
	),
	XWORKMATE_OPENCLAW_TOKEN: setting(z.string().optional(), {
		meaning: "Token of the OpenClaw gateway.",
		group: "openclaw",
		secret: true,
		secretFile: "openclaw-token",
	}),
	XWORKMATE_OPENCLAW_MAX_ACTIVE: count(1, 1, 100, {
		meaning: "Maximum number of concurrent OpenClaw runs.",
		group: "openclaw",
		live: true,
	}),
	XWORKMATE_OPENCLAW_MAX_QUEUED: count(20, 0, 1000, {
		meaning: "Maximum number of queued OpenClaw messages.",
		group: "openclaw",
		live: true,
	}),
	XWORKMATE_OPENCLAW_LOST_MS: count(
		10 * 60_000,
		1_000,
		DAY_MS,
		{ meaning: "Time without contact with the gateway after which its runs are considered lost.", group: "openclaw" },
		"ms",
	),
	XWORKMATE_OPENCLAW_UNTESTED: onOff({
		meaning: "Turn on to use an OpenClaw version that this release was not tested with.",
		group: "openclaw",
	}),
	XWORKMATE_TLS_CERT: setting(absolutePath.optional(), { meaning: "Path of the certificate chain (PEM) for https.", group: "bridge" }),
	XWORKMATE_TLS_KEY: setting(absolutePath.optional(), { meaning: "Path of the private key (PEM) of the certificate.", group: "bridge" }),
	XWORKMATE_TLS_PROXY: onOff({
		meaning: "Turn on if a proxy in front of the bridge terminates TLS. Allows plain HTTP on addresses that other computers can reach.",
		group: "bridge",
	}),
	XWORKMATE_ALLOW_PROVIDERS: list(",", ProviderId, {
		meaning: "Agents whose requests for approval are all allowed automatically, except for calls to your tools.",
		group: "permissions",
		live: true,
	}),
	XWORKMATE_ALLOW_COMMANDS: list("\n", z.string(), {
		meaning: "Exact command lines that are allowed without asking.",
		group: "permissions",
		live: true,
	}),
	XWORKMATE_TOOL_HOSTS: count(8, 1, 100, {
		meaning: "Maximum number of processes for integrations: each integration in use has one.",
		group: "runs",
	}),
	XWORKMATE_TOOLS_ACCEPT: choice(["ask", "auto"], "ask", {
		meaning: "Set to auto to accept tool code whenever it loads. Anyone who can write to <home>/tools can then act without your approval.",
		group: "permissions",
	}),
	XWORKMATE_ANTHROPIC_URL: setting(webAddress.optional(), {
		meaning: "Address of a server to use instead of Anthropic's own API.",
		group: "models",
	}),
	XWORKMATE_ANTHROPIC_MODEL: setting(z.string().min(1).optional(), {
		meaning: "Claude model that the assistant uses. If unset, the newest model that the account offers is used.",
		group: "models",
	}),
	XWORKMATE_OPENAI_MODEL: setting(z.string().min(1).optional(), {
		meaning: "Model of the assistant at OpenAI, or on the server in OPENAI_BASE_URL. If unset, the first that the server lists.",
		group: "models",
	}),
	XWORKMATE_OPENAI_WIRE: choice(["chat", "responses"], "chat", {
		meaning: "Protocol used with OpenAI or the server in OPENAI_BASE_URL: chat (chat completions) or responses.",
		group: "models",
	}),
	XWORKMATE_APP_URL: setting(webAddress.optional(), {
		meaning: "Public address of the app's page, for links in Discord messages. If unset, Discord messages contain no links to it.",
		group: "discord",
	}),
	XWORKMATE_DISCORD_TOKEN: setting(token.optional(), {
		meaning: "Token of the Discord bot. If unset, Discord is not used.",
		group: "discord",
		secret: true,
		secretFile: "discord-token",
	}),
	XWORKMATE_DISCORD_APPROVERS: list(",", snowflake, {
		meaning: "IDs of the Discord users who may answer requests for approval.",
		group: "discord",
	}),
	XWORKMATE_DISCORD_USERS: list(",", snowflake, {
		meaning: "IDs of the Discord users who may talk to the bot, in addition to the approvers.",
		group: "discord",
	}),
	XWORKMATE_DISCORD_CHANNELS: list(",", snowflake, {
		meaning: "IDs of the Discord channels that the bot listens in, in addition to direct messages.",
		group: "discord",
	}),
	XWORKMATE_DISCORD_API: setting(webAddress.optional(), {
		meaning: "Address of the Discord API, if it is not Discord's own.",
		group: "discord",
	}),
	XWORKMATE_MAX_PLANS: count(defaultLimits.maxPlans, 1, 100_000, {
		meaning: "Maximum number of plans, not counting deleted ones.",
		group: "deliveries",
	}),
	XWORKMATE_CATCH_UP_MS: count(
		defaultLimits.catchUpMs,
		0,
		31 * DAY_MS,
		{
			meaning: "Time after which a plan no longer catches up on a missed time automatically, unless the plan says otherwise.",
			group: "deliveries",
		},
		"ms",
	),
	XWORKMATE_DELIVER_WITHIN_MS: count(
		defaultLimits.deliverWithinMs,
		1_000,
		31 * DAY_MS,
		{
			meaning: "Time limit for trying to send a message: at most 8 attempts, with no retries once the plan is due again.",
			group: "deliveries",
		},
		"ms",
	),
	XWORKMATE_SEND_TIMEOUT_MS: count(
		defaultLimits.sendTimeoutMs,
		100,
		600_000,
		{
			meaning:
				"Time limit for sending one message. Sending ends earlier if there is no connection after 15 s, or if the server is silent for 45 s (Discord: 30 s).",
			group: "deliveries",
		},
		"ms",
	),
	XWORKMATE_CONFIRM_MS: count(
		defaultLimits.confirmMs,
		100,
		31 * DAY_MS,
		{
			meaning: "Time to wait for news of an accepted message. It is then marked as sent if its channel has reported that, or as unknown.",
			group: "deliveries",
		},
		"ms",
	),
	XWORKMATE_SENDS_PER_HOUR: count(defaultLimits.sendsPerHour, 1, 100_000, {
		meaning: "Maximum number of messages that one channel sends in an hour; further messages wait for your decision.",
		group: "deliveries",
	}),
	XWORKMATE_WEBHOOK_LISTEN: setting(ListenAddress.optional(), {
		meaning:
			"Address on which the bridge listens for reports from services such as WhatsApp about messages (docs/channels.md#webhooks). If unset, it does not listen for them.",
		group: "deliveries",
	}),
	XWORKMATE_APPROVAL_MS: count(
		defaultLimits.approvalMs,
		50,
		DAY_MS,
		{ meaning: "Time after which an unanswered request for approval is denied.", group: "permissions", live: true },
		"ms",
	),
	XWORKMATE_CANCEL_CONFIRM_MS: count(
		defaultLimits.cancelConfirmMs,
		10,
		DAY_MS,
		{ meaning: "Time a cancellation may stay unconfirmed before the run's deadline is brought forward.", group: "runs", live: true },
		"ms",
	),
	XWORKMATE_DEADLINE_GRACE_MS: count(
		defaultLimits.deadlineGraceMs,
		10,
		DAY_MS,
		{ meaning: "Time limit for an agent to stop once the deadline has passed.", group: "runs", live: true },
		"ms",
	),
	XWORKMATE_COLLECT_MS: count(
		defaultLimits.collectMs,
		100,
		DAY_MS,
		{ meaning: "Time limit for collecting a run's files.", group: "runs" },
		"ms",
	),
	XWORKMATE_PARK_MS: count(
		defaultLimits.parkMs,
		0,
		DAY_MS,
		{ meaning: "Time a program stays in its process while all of its calls wait for your answer.", group: "runs" },
		"ms",
	),
	XWORKMATE_STOP_MS: count(
		defaultLimits.stopMs,
		10,
		600_000,
		{ meaning: "Time limit for runs to end when the bridge stops.", group: "bridge" },
		"ms",
	),
	XWORKMATE_HEARTBEAT_MS: count(
		HEARTBEAT_MS,
		10,
		limits.heartbeatMs,
		{ meaning: "Time between two heartbeats of a stream.", group: "bridge" },
		"ms",
	),
	XWORKMATE_MAX_QUEUED_PER_THREAD: count(defaultLimits.maxQueuedPerThread, 1, 10_000, {
		meaning: "Maximum number of queued messages per thread.",
		group: "runs",
		live: true,
	}),
	XWORKMATE_MAX_QUEUED: count(defaultLimits.maxQueued, 1, 100_000, {
		meaning: "Maximum number of queued messages in total, not counting those for OpenClaw.",
		group: "runs",
		live: true,
	}),
	XWORKMATE_RUN_LOG_BYTES: count(
		defaultLimits.runLogBytes,
		1024,
		2 ** 40,
		{ meaning: "Maximum size of one run's log.", group: "runs", live: true },
		"bytes",
	),
	XWORKMATE_KEEP_MS: count(
		defaultLimits.keepMs,
		1,
		36_500 * DAY_MS,
		{ meaning: "Age at which a run's stored files are removed.", group: "storage", live: true },
		"ms",
	),
	XWORKMATE_KEEP_BYTES: count(
		defaultLimits.keepBytes,
		1,
		2 ** 49,
		{ meaning: "Total size above which the oldest runs' stored files are removed.", group: "storage", live: true },
		"bytes",
	),
	XWORKMATE_LOG_LEVEL: choice(["trace", "debug", "info", "warn", "error", "fatal", "silent"], "info", {
		meaning: "Least severe level that is logged to standard error.",
		group: "diagnostics",
		live: true,
	}),
});
export type Environment = z.infer<typeof Environment>;
