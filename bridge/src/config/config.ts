import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { omitUndefined, type ProviderId } from "@xworkmate/contracts";
import {
	bridgeSettings,
	type CombinedSetting,
	Environment,
	environmentTexts,
	isLoopback,
	knownNames,
	type ListenAddress,
	meaningInText,
	nearestName,
	type SettingTexts,
	unknownNames,
} from "@xworkmate/platform/settings";
import type { ApprovalPolicy } from "../approvals/approval-policy.ts";
import type { PlanLimits } from "../ports/plans/plan-limits.ts";
import { defaultRunLimits, type RunLimits } from "../ports/runs/run-limits.ts";
import { ConfigError } from "./config-error.ts";

/** The minimum length of the token if other machines can reach the bridge, and so could try to guess it. */
const MIN_TOKEN_LENGTH = 16;

/** All settings. `LiveSettings` changes some of them while the bridge runs. */
export interface BridgeConfig {
	/** The absolute path of the home. */
	readonly home: string;
	/** `<home>/bridge`. */
	readonly bridgeHome: string;
	readonly listen: ListenAddress;
	/** True if only this machine can reach the bridge. */
	readonly loopback: boolean;
	/** Absolute paths of PEM files. */
	readonly tls?: { readonly certFile: string; readonly keyFile: string };
	/** A configured token; otherwise the one in `<bridgeHome>/token` is used. */
	readonly token?: string;
	/** Lower case, in addition to the loopback names. */
	readonly allowedHosts: readonly string[];
	readonly allowedOrigins: readonly string[];
	/** The absolute paths of the project folders. */
	readonly allowedRoots: readonly string[];
	readonly defaultProvider?: ProviderId;
	readonly runLimits: RunLimits;
	readonly planLimits: PlanLimits;
	/** Where the bridge listens for reports from services about what happened to messages. If absent, it does not listen for them. */
	readonly webhookListen?: ListenAddress;
	readonly approvalPolicy: ApprovalPolicy;
	readonly openclaw: OpenClawSettings;
	readonly tools: ToolSettings;
	readonly models: ModelSettings;
	readonly discord: DiscordSettings;
	readonly heartbeatMs: number;
	readonly logLevel: Environment["XWORKMATE_LOG_LEVEL"];
	/** The process's own variables, which agents inherit in part. */
	readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface ToolSettings {
	/** The maximum number of processes that integrations may have. */
	readonly maxHosts: number;
	/** True to treat every version that loads as accepted. */
	readonly acceptsAll: boolean;
}

/** How the assistant reaches models. Credentials are in the accounts. */
export interface ModelSettings {
	readonly anthropicUrl?: string;
	readonly anthropicModel?: string;
	/** A server that speaks OpenAI's protocol. */
	readonly openaiUrl?: string;
	readonly openaiModel?: string;
	readonly openaiWire: "chat" | "responses";
}

export interface DiscordSettings {
	/** If absent, Discord is off. */
	readonly token?: string;
	readonly approvers: readonly string[];
	readonly users: readonly string[];
	readonly channels: readonly string[];
	readonly apiUrl?: string;
	/** The address of the app's page, for links. */
	readonly appUrl?: string;
}

export interface OpenClawSettings {
	/** ws, wss, http or https. */
	readonly url?: string;
	readonly token?: string;
	/** The flags or environment variables that set `url` and `token`. */
	readonly setBy: { readonly url?: string; readonly token?: string };
	readonly maxActive: number;
	readonly maxQueued: number;
	/** How long the gateway may be unreachable before its runs are considered lost. */
	readonly lostMs: number;
	/** True to allow gateway versions that the plugin was not tested with. */
	readonly allowUntested: boolean;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** @throws ConfigError for a bad value, or an address that may not be served without a token and TLS */
export function configOf(combined: readonly CombinedSetting[], env: Variables): BridgeConfig {
	const given = combined.flatMap(({ setting, text }): [string, string][] => (text === undefined ? [] : [[setting.name, text]]));
	const { HOME } = env;
	const parsed = Environment.safeParse({ ...(HOME ? { XWORKMATE_HOME: join(HOME, ".xworkmate") } : {}), ...Object.fromEntries(given) });
	if (!parsed.success) throw invalid(parsed.error.issues);
	const config = {
		...toConfig(parsed.data),
		openclaw: toOpenclaw(parsed.data, combined),
		models: toModels(parsed.data, env),
		environment: env,
	};
	refuseOpenDoor(config, parsed.data);
	return config;
}

/**
 * The settings of an environment.
 * @throws ConfigError for a misspelled name
 */
export function readVariables(env: Variables): SettingTexts {
	const [wrong] = unknownNames(env);
	if (wrong === undefined) return environmentTexts(env);
	const near = nearestName(wrong, knownNames);
	throw new ConfigError(
		`${wrong} is not an XWorkmate setting.`,
		near === undefined ? "Remove it from the environment." : `Did you mean ${near}?`,
	);
}

/**
 * The settings of a command line.
 * @throws ConfigError for an argument that is not one of the flags, or a flag without a value
 */
export function readFlags(argv: readonly string[]): SettingTexts {
	const flags = new Map(bridgeSettings.flatMap(({ name, flag }) => (flag === undefined ? [] : [[flag.slice(2), name] as const])));
	const options = Object.fromEntries([...flags.keys()].map((flag) => [flag, { type: "string" as const }]));
	try {
		const { values } = parseArgs({ args: [...argv], options, strict: true, allowPositionals: false });
		return new Map(
			Object.entries(values).flatMap(([flag, value]): [string, string][] => {
				const name = flags.get(flag);
				return name === undefined || typeof value !== "string" ? [] : [[name, value]];
			}),
		);
	} catch (error) {
		if (!(error instanceof TypeError)) throw error;
		throw new ConfigError(
			error.message,
			`Use only these flags, each with a value: ${[...flags.keys()].map((flag) => `--${flag}`).join(", ")}.`,
		);
	}
}

function invalid(issues: readonly { readonly path: PropertyKey[]; readonly message: string }[]): ConfigError {
	const [first] = issues;
	const name = String(first?.path[0] ?? "A setting");
	const about = bridgeSettings.find((setting) => setting.name === name);
	return new ConfigError(
		`${name} ${first?.message ?? "is invalid"}`,
		about === undefined ? "Correct it." : `Set it to a valid value: ${meaningInText(about)}`,
	);
}

function toConfig(env: Environment): Omit<BridgeConfig, "environment" | "models" | "openclaw"> {
	const home = resolve(env.XWORKMATE_HOME);
	const { XWORKMATE_TLS_CERT: certFile, XWORKMATE_TLS_KEY: keyFile } = env;
	const token = env.XWORKMATE_TOKEN;
	const defaultProvider = env.XWORKMATE_DEFAULT_PROVIDER;
	return {
		home,
		bridgeHome: join(home, "bridge"),
		listen: env.XWORKMATE_BRIDGE_LISTEN,
		loopback: isLoopback(env.XWORKMATE_BRIDGE_LISTEN.host),
		...(certFile === undefined || keyFile === undefined ? {} : { tls: { certFile, keyFile } }),
		...omitUndefined({ token }),
		allowedHosts: env.XWORKMATE_ALLOWED_HOSTS,
		allowedOrigins: env.XWORKMATE_ALLOWED_ORIGINS,
		allowedRoots: env.XWORKMATE_ALLOWED_ROOTS,
		...omitUndefined({ defaultProvider }),
		runLimits: toRunLimits(env),
		planLimits: toPlanLimits(env),
		...omitUndefined({ webhookListen: env.XWORKMATE_WEBHOOK_LISTEN }),
		approvalPolicy: {
			allowProviders: new Set(env.XWORKMATE_ALLOW_PROVIDERS),
			allowCommands: new Set(env.XWORKMATE_ALLOW_COMMANDS),
		},
		tools: { maxHosts: env.XWORKMATE_TOOL_HOSTS, acceptsAll: env.XWORKMATE_TOOLS_ACCEPT === "auto" },
		discord: toDiscord(env),
		heartbeatMs: env.XWORKMATE_HEARTBEAT_MS,
		logLevel: env.XWORKMATE_LOG_LEVEL,
	};
}

function toRunLimits(env: Environment): RunLimits {
	return {
		...defaultRunLimits,
		maxActiveRuns: env.XWORKMATE_MAX_ACTIVE_RUNS,
		maxQueuedPerThread: env.XWORKMATE_MAX_QUEUED_PER_THREAD,
		maxQueued: env.XWORKMATE_MAX_QUEUED,
		gateway: { maxActive: env.XWORKMATE_OPENCLAW_MAX_ACTIVE, maxQueued: env.XWORKMATE_OPENCLAW_MAX_QUEUED },
		runBudgetMs: env.XWORKMATE_RUN_BUDGET_MS,
		approvalMs: env.XWORKMATE_APPROVAL_MS,
		cancelConfirmMs: env.XWORKMATE_CANCEL_CONFIRM_MS,
		deadlineGraceMs: env.XWORKMATE_DEADLINE_GRACE_MS,
		collectMs: env.XWORKMATE_COLLECT_MS,
		parkMs: env.XWORKMATE_PARK_MS,
		stopMs: env.XWORKMATE_STOP_MS,
		runLogBytes: env.XWORKMATE_RUN_LOG_BYTES,
		retentionMaxAgeMs: env.XWORKMATE_KEEP_MS,
		retentionMaxBytes: env.XWORKMATE_KEEP_BYTES,
	};
}

function toPlanLimits(env: Environment): PlanLimits {
	return {
		deliverWithinMs: env.XWORKMATE_DELIVER_WITHIN_MS,
		sendTimeoutMs: env.XWORKMATE_SEND_TIMEOUT_MS,
		confirmMs: env.XWORKMATE_CONFIRM_MS,
		catchUpMs: env.XWORKMATE_CATCH_UP_MS,
		sendsPerHour: env.XWORKMATE_SENDS_PER_HOUR,
		maxPlans: env.XWORKMATE_MAX_PLANS,
	};
}

function toOpenclaw(env: Environment, combined: readonly CombinedSetting[]): OpenClawSettings {
	const { XWORKMATE_OPENCLAW_URL: url, XWORKMATE_OPENCLAW_TOKEN: token } = env;
	return {
		...omitUndefined({ url, token }),
		setBy: omitUndefined({ url: setBy(combined, "openclawUrl"), token: setBy(combined, "openclawToken") }),
		maxActive: env.XWORKMATE_OPENCLAW_MAX_ACTIVE,
		maxQueued: env.XWORKMATE_OPENCLAW_MAX_QUEUED,
		lostMs: env.XWORKMATE_OPENCLAW_LOST_MS,
		allowUntested: env.XWORKMATE_OPENCLAW_UNTESTED === "1",
	};
}

/** The flag or variable that sets a setting; undefined if the file sets it, or nothing does. */
function setBy(combined: readonly CombinedSetting[], key: string): string | undefined {
	const { setting, source } = combined.find((one) => one.setting.key === key) ?? {};
	return source === "flag" ? setting?.flag : source === "environment" ? setting?.name : undefined;
}

/** The OpenAI address comes from `OPENAI_BASE_URL`, which other programs read too, so it is not one of the bridge's settings. */
function toModels(env: Environment, { OPENAI_BASE_URL }: Readonly<Record<string, string | undefined>>): ModelSettings {
	const { XWORKMATE_ANTHROPIC_URL: anthropicUrl, XWORKMATE_ANTHROPIC_MODEL: anthropicModel } = env;
	const openaiUrl = OPENAI_BASE_URL === "" ? undefined : OPENAI_BASE_URL;
	return {
		...omitUndefined({ anthropicUrl, anthropicModel, openaiUrl, openaiModel: env.XWORKMATE_OPENAI_MODEL }),
		openaiWire: env.XWORKMATE_OPENAI_WIRE,
	};
}

function toDiscord(env: Environment): DiscordSettings {
	const { XWORKMATE_DISCORD_TOKEN: token, XWORKMATE_DISCORD_API: apiUrl, XWORKMATE_APP_URL: appUrl } = env;
	return {
		...omitUndefined({ token, apiUrl, appUrl }),
		approvers: env.XWORKMATE_DISCORD_APPROVERS,
		users: env.XWORKMATE_DISCORD_USERS,
		channels: env.XWORKMATE_DISCORD_CHANNELS,
	};
}

/**
 * TLS needs both of its files. An address beyond loopback requires TLS, by the bridge or by a proxy that the settings declare, and, except
 * for webhooks, a token from the settings that is not too short (docs/protocol.md#access).
 */
function refuseOpenDoor(config: BridgeConfig, env: Environment): void {
	if ((env.XWORKMATE_TLS_CERT === undefined) !== (env.XWORKMATE_TLS_KEY === undefined)) {
		throw new ConfigError("TLS needs both a certificate and its key.", "Set both XWORKMATE_TLS_CERT and XWORKMATE_TLS_KEY.");
	}
	if (config.webhookListen !== undefined && !isLoopback(config.webhookListen.host)) refusePlain(config.webhookListen, config, env);
	if (config.loopback) return;
	if (config.token === undefined) {
		throw new ConfigError(`${config.listen.host} can be reached from other computers, and no token is set.`, "Set XWORKMATE_TOKEN.");
	}
	if (config.token.length < MIN_TOKEN_LENGTH) {
		throw new ConfigError(`XWORKMATE_TOKEN can be guessed because it has fewer than ${MIN_TOKEN_LENGTH} characters.`, "Set a longer one.");
	}
	refusePlain(config.listen, config, env);
}

function refusePlain({ host }: ListenAddress, { tls }: BridgeConfig, env: Environment): void {
	if (tls !== undefined || env.XWORKMATE_TLS_PROXY === "1") return;
	throw new ConfigError(
		`${host} can be reached from other computers, and its connections would not be encrypted (TLS).`,
		"Set XWORKMATE_TLS_CERT and XWORKMATE_TLS_KEY, or set XWORKMATE_TLS_PROXY=1 if a proxy encrypts the connections.",
	);
}
