import { homedir } from "node:os";
import { delimiter, isAbsolute } from "node:path";
import { limits, ProviderId } from "@xworkmate/contracts";
import { z } from "zod";
import { defaultPlanLimits } from "../ports/plan-limits.ts";
import { defaultRunLimits } from "../ports/run-limits.ts";
import { ListenAddress } from "./listen-address.ts";

/** One row of the settings' documentation. */
export interface Setting {
	readonly name: string;
	/** The default as a user would write it; empty = none. */
	readonly default: string;
	readonly meaning: string;
	/** The command-line flag; a secret has none, because other users can read a command line. */
	readonly flag?: string;
}

interface Words {
	readonly meaning: string;
	readonly default?: string;
	readonly secret?: true;
}

const words = z.registry<Words>();
const HEARTBEAT_MS = 10_000;

function setting<T extends z.ZodType>(schema: T, about: Words): T {
	words.add(schema, about);
	return schema;
}

/** A whole number from `min` to `max`; `fallback` if unset. */
function count(fallback: number, min: number, max: number, meaning: string) {
	const schema = z
		.string()
		.regex(/^\d{1,15}$/, "must be a whole number")
		.transform(Number)
		.refine((value) => value >= min && value <= max, `must be ${min} to ${max}`)
		.default(fallback);
	return setting(schema, { meaning, default: String(fallback) });
}

/** Items of a separated list; empty if unset. */
function list<T extends z.ZodType<unknown, string>>(separator: string, item: T, meaning: string) {
	const split = (text: string): string[] =>
		text
			.split(separator)
			.map((part) => part.trim())
			.filter((part) => part !== "");
	return setting(z.string().default("").transform(split).pipe(z.array(item)), { meaning });
}

const absolutePath = z.string().refine(isAbsolute, "must be an absolute path");
const hostName = z
	.string()
	.regex(/^[A-Za-z0-9.-]+$|^\[[0-9a-fA-F:.]+\]$/, "must be a host name without a port")
	.transform((name) => name.toLowerCase());
const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, "must be an origin, such as https://host");
const token = z.string().regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces");

const webAddress = z.url({ protocol: /^https?$/, error: "must be an http or https address" });
const snowflake = z.string().regex(/^\d{1,20}$/, "must be a number, as Discord copies ids");

const DAY_MS = 24 * 60 * 60_000;

/** Every variable the bridge reads (docs/protocol.md#files-and-settings). Empty counts as unset. */
export const Environment = z.object({
	XWORKMATE_HOME: setting(absolutePath.default(`${homedir()}/.xworkmate`), {
		meaning: "Folder for everything that XWorkmate saves; mode 0700.",
		default: "~/.xworkmate",
	}),
	XWORKMATE_BRIDGE_LISTEN: setting(ListenAddress.default({ host: "127.0.0.1", port: 8787 }), {
		meaning: "Address the bridge listens on; port 0 picks any free port.",
		default: "127.0.0.1:8787",
	}),
	XWORKMATE_TOKEN: setting(token.optional(), {
		meaning:
			"Bearer token; at least 16 characters if other computers can reach the bridge. If unset, the token in <home>/bridge/token, which the first start creates.",
		secret: true,
	}),
	XWORKMATE_ALLOWED_HOSTS: list(
		",",
		hostName,
		"Host names that requests may use in addition to this computer's loopback names; comma-separated.",
	),
	XWORKMATE_ALLOWED_ORIGINS: list(",", origin, "Origins of web pages that may call the bridge; comma-separated."),
	XWORKMATE_ALLOWED_ROOTS: list(
		delimiter,
		absolutePath,
		"Folders under which a turn may choose its working directory; separated like PATH.",
	),
	XWORKMATE_DEFAULT_PROVIDER: setting(ProviderId.optional(), { meaning: "Provider for turns that do not name one." }),
	XWORKMATE_MAX_ACTIVE_RUNS: count(defaultRunLimits.maxActiveRuns, 1, 1000, "Maximum number of concurrent runs on this computer."),
	XWORKMATE_RUN_BUDGET_MS: count(
		defaultRunLimits.runBudgetMs,
		100,
		30 * DAY_MS,
		"Time limit of a run, not counting the time it waits for your approval.",
	),
	XWORKMATE_OPENCLAW_URL: setting(
		z.url({ protocol: /^(wss?|https?)$/, error: "must be an address such as ws://127.0.0.1:18789." }).optional(),
		{ meaning: "Address of the OpenClaw gateway." },
	),
	XWORKMATE_OPENCLAW_TOKEN: setting(z.string().optional(), { meaning: "Token of the OpenClaw gateway.", secret: true }),
	XWORKMATE_OPENCLAW_MAX_ACTIVE: count(1, 1, 100, "Maximum number of concurrent OpenClaw runs."),
	XWORKMATE_OPENCLAW_MAX_QUEUED: count(20, 0, 1000, "Maximum number of queued OpenClaw turns."),
	XWORKMATE_OPENCLAW_LOST_MS: count(
		10 * 60_000,
		1_000,
		DAY_MS,
		"Time without contact to the gateway after which its runs are considered lost.",
	),
	XWORKMATE_OPENCLAW_UNTESTED: setting(z.literal("1").optional(), {
		meaning: "Set to 1 to use an OpenClaw version that this release was not tested with.",
	}),
	XWORKMATE_TLS_CERT: setting(absolutePath.optional(), { meaning: "Certificate chain (PEM) to serve https with." }),
	XWORKMATE_TLS_KEY: setting(absolutePath.optional(), { meaning: "Private key of that certificate (PEM)." }),
	XWORKMATE_TLS_PROXY: setting(z.literal("1").optional(), {
		meaning: "Set to 1 if a proxy in front of the bridge terminates TLS. Allows plain HTTP on addresses that other computers can reach.",
	}),
	XWORKMATE_ALLOW_PROVIDERS: list(",", ProviderId, "Providers whose requests for approval are all allowed automatically; comma-separated."),
	XWORKMATE_ALLOW_COMMANDS: list("\n", z.string(), "Exact command lines that are allowed without asking; one per line."),
	XWORKMATE_TOOL_HOSTS: count(8, 1, 100, "Maximum number of processes for integrations: each integration in use has one."),
	XWORKMATE_TOOLS_ACCEPT: setting(z.enum(["ask", "auto"]).default("ask"), {
		meaning:
			"Set to auto to accept the code of tools whenever it loads. Then whoever can write to <home>/tools can act without being asked.",
		default: "ask",
	}),
	XWORKMATE_ANTHROPIC_URL: setting(webAddress.optional(), { meaning: "Address of the Anthropic API, if it is not Anthropic's own." }),
	XWORKMATE_ANTHROPIC_MODEL: setting(z.string().min(1).optional(), {
		meaning: "Claude model of the assistant. If unset, the newest that the account offers.",
	}),
	XWORKMATE_OPENAI_MODEL: setting(z.string().min(1).optional(), {
		meaning: "Model of the assistant on the server in OPENAI_BASE_URL. If unset, the first that the server lists.",
	}),
	XWORKMATE_OPENAI_WIRE: setting(z.enum(["chat", "responses"]).default("chat"), {
		meaning: "Protocol of that server: chat (chat completions) or responses.",
		default: "chat",
	}),
	XWORKMATE_APP_URL: setting(webAddress.optional(), {
		meaning: "Address of the app's page as others reach it, for links in Discord. If unset, Discord gets no links.",
	}),
	XWORKMATE_DISCORD_TOKEN: setting(token.optional(), { meaning: "Token of the Discord bot. If unset, Discord is not used.", secret: true }),
	XWORKMATE_DISCORD_APPROVERS: list(",", snowflake, "Ids of the Discord users who may answer requests for approval; comma-separated."),
	XWORKMATE_DISCORD_USERS: list(
		",",
		snowflake,
		"Ids of the Discord users who may talk to the bot, in addition to the approvers; comma-separated.",
	),
	XWORKMATE_DISCORD_CHANNELS: list(
		",",
		snowflake,
		"Ids of the Discord channels in which the bot listens, in addition to direct messages; comma-separated.",
	),
	XWORKMATE_DISCORD_API: setting(webAddress.optional(), { meaning: "Address of the Discord API, if it is not Discord's own." }),
	XWORKMATE_MAX_PLANS: count(defaultPlanLimits.maxPlans, 1, 100_000, "Maximum number of plans that are not deleted."),
	XWORKMATE_CATCH_UP_MS: count(
		defaultPlanLimits.catchUpMs,
		0,
		31 * DAY_MS,
		"Time after which a plan's missed time no longer begins by itself, if the plan does not say.",
	),
	XWORKMATE_DELIVER_WITHIN_MS: count(
		defaultPlanLimits.deliverWithinMs,
		1_000,
		31 * DAY_MS,
		"Time for which a message that can't be sent is tried again.",
	),
	XWORKMATE_SEND_TIMEOUT_MS: count(defaultPlanLimits.sendTimeoutMs, 100, 600_000, "Time that a channel has to take a message."),
	XWORKMATE_CONFIRM_MS: count(
		defaultPlanLimits.confirmMs,
		100,
		31 * DAY_MS,
		"Time after which it counts as unknown whether a message arrived that a channel accepted and did not confirm.",
	),
	XWORKMATE_SENDS_PER_HOUR: count(
		defaultPlanLimits.sendsPerHour,
		1,
		100_000,
		"Maximum number of messages of one channel in an hour; the next ones wait for your decision.",
	),
	XWORKMATE_WEBHOOK_LISTEN: setting(ListenAddress.optional(), {
		meaning:
			"Address on which services such as WhatsApp tell what became of messages (docs/channels.md#webhooks). If unset, nothing listens.",
	}),
	XWORKMATE_APPROVAL_MS: count(defaultRunLimits.approvalMs, 50, DAY_MS, "Time after which an unanswered request for approval is denied."),
	XWORKMATE_CANCEL_CONFIRM_MS: count(
		defaultRunLimits.cancelConfirmMs,
		10,
		DAY_MS,
		"Time a cancellation may stay unconfirmed before the run's deadline is brought forward.",
	),
	XWORKMATE_DEADLINE_GRACE_MS: count(
		defaultRunLimits.deadlineGraceMs,
		10,
		DAY_MS,
		"Time a provider has to stop once the deadline has passed.",
	),
	XWORKMATE_COLLECT_MS: count(defaultRunLimits.collectMs, 100, DAY_MS, "Time limit for collecting a run's files."),
	XWORKMATE_PARK_MS: count(
		defaultRunLimits.parkMs,
		0,
		DAY_MS,
		"Time a program stays in its process while all of its calls wait for your answer.",
	),
	XWORKMATE_STOP_MS: count(defaultRunLimits.stopMs, 10, 600_000, "Time that runs have to end when the bridge stops."),
	XWORKMATE_HEARTBEAT_MS: count(HEARTBEAT_MS, 10, limits.heartbeatMs, "Time between two heartbeats of a stream."),
	XWORKMATE_MAX_QUEUED_PER_THREAD: count(defaultRunLimits.maxQueuedPerThread, 1, 10_000, "Maximum number of queued turns per thread."),
	XWORKMATE_MAX_QUEUED: count(defaultRunLimits.maxQueued, 1, 100_000, "Maximum number of queued turns for this computer."),
	XWORKMATE_RUN_LOG_BYTES: count(defaultRunLimits.runLogBytes, 1024, 2 ** 40, "Maximum size of one run's log."),
	XWORKMATE_KEEP_MS: count(defaultRunLimits.retentionMaxAgeMs, 1, 36_500 * DAY_MS, "Age at which a run's stored files are removed."),
	XWORKMATE_KEEP_BYTES: count(
		defaultRunLimits.retentionMaxBytes,
		1,
		2 ** 49,
		"Total size above which the oldest runs' stored files are removed.",
	),
	XWORKMATE_LOG_LEVEL: setting(z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"), {
		meaning: "Least severe level that is logged to standard error.",
		default: "info",
	}),
});
export type Environment = z.infer<typeof Environment>;

/** Variables of the app, the command and the runtimes, which share the bridge's environment. */
const foreignNames = ["XWORKMATE_APP_LISTEN", "XWORKMATE_BRIDGE_URL", "XWORKMATE_ARTIFACT_DIRECTORY"] as const;

/** The bridge's settings, in the order in which documents list them. */
export const settings: readonly Setting[] = Object.entries(Environment.shape).map(([name, schema]) => {
	const about = words.get(schema);
	if (about === undefined) throw new RangeError(`${name} has no description`);
	const flag = about.secret === true ? {} : { flag: `--${name.slice("XWORKMATE_".length).toLowerCase().replaceAll("_", "-")}` };
	return { name, default: about.default ?? "", meaning: about.meaning, ...flag };
});

/** All valid variables with this prefix. */
export const knownNames: readonly string[] = [...settings.map(({ name }) => name), ...foreignNames];
