import { dirname, join } from "node:path";
import { repositoryRoot } from "../bridge/bridge-process.ts";

/** Where a gateway lives and listens: all that another process needs to use, end and start it. */
export interface GatewayPlace {
	/** Absolute; unique, so that its processes can be found by it. */
	readonly folder: string;
	readonly port: number;
	readonly token: string;
	/** Made by `openclaw onboard`, with OpenClaw's own folders and defaults; else by `gatewayConfig`. */
	readonly onboarded: boolean;
}

/** A plugin to load, with its own config. */
export interface GatewayPlugin {
	readonly id: string;
	/** Absolute: the folder with openclaw.plugin.json. */
	readonly folder: string;
	readonly config?: Record<string, unknown>;
}

export interface GatewaySettings {
	/** Absolute; everything of this gateway is in it. */
	readonly folder: string;
	readonly port: number;
	readonly token: string;
	/** The model's address, without a path. */
	readonly modelUrl: string;
	readonly plugins: readonly GatewayPlugin[];
}

/** `openclaw.json` of a gateway that talks to no one but the scripted model. */
export function gatewayConfig({ folder, port, token, modelUrl, plugins }: GatewaySettings): object {
	const model = {
		id: "fake-model",
		name: "Fake",
		reasoning: false,
		input: ["text"],
		cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
		contextWindow: 128_000,
		maxTokens: 8_192,
	};
	return {
		gateway: {
			mode: "local",
			bind: "loopback",
			port,
			auth: { mode: "token", token },
			controlUi: { enabled: false },
			reload: { mode: "off" },
		},
		update: { checkOnStart: false },
		logging: { file: join(folder, "gateway.jsonl"), level: "info" },
		discovery: { mdns: { mode: "off" } },
		agents: {
			defaults: {
				workspace: join(folder, "workspace"),
				skipBootstrap: true,
				model: { primary: "fake/fake-model" },
				heartbeat: { every: "0m" },
				mediaModels: { image: { primary: "fake-image/one" } },
			},
		},
		// Without tool search every tool is offered to the model by its own name.
		tools: { profile: "full", toolSearch: false, exec: { host: "gateway", security: "full", ask: "off" } },
		skills: { allowBundled: [] },
		models: {
			mode: "replace",
			providers: { fake: { baseUrl: `${modelUrl}/v1`, apiKey: "dummy", api: "openai-completions", models: [model] } },
		},
		plugins: {
			allow: plugins.map(({ id }) => id),
			slots: { memory: "none" },
			load: { paths: plugins.map((plugin) => plugin.folder) },
			entries: Object.fromEntries(
				plugins.map(({ id, config = {} }) => [id, { enabled: true, hooks: { allowConversationAccess: true }, config }]),
			),
		},
	};
}

/** Nothing of the test runner's own: its variables would change what the gateway does. */
export function gatewayEnvironment({ folder, port, onboarded }: GatewayPlace): Record<string, string> {
	return {
		PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
		LANG: "C.UTF-8",
		TZ: "UTC",
		NO_COLOR: "1",
		HOME: join(folder, "home"),
		TMPDIR: join(folder, "tmp"),
		...(onboarded ? { OPENCLAW_GATEWAY_PORT: String(port) } : bareGateway(folder)),
		OPENCLAW_OFFLINE: "1",
		OPENCLAW_NO_AUTO_UPDATE: "1",
		OPENCLAW_DISABLE_BONJOUR: "1",
		OPENCLAW_TELEMETRY: "0",
		DO_NOT_TRACK: "1",
		// Both keep the process that is started the process that serves, so that its pid is the gateway's.
		OPENCLAW_NO_RESPAWN: "1",
		OPENCLAW_PACKAGED_COMPILE_CACHE_RESPAWNED: "1",
		NODE_COMPILE_CACHE: join(repositoryRoot, ".cache", "compile-openclaw"),
	};
}

/** The places of a gateway that `gatewayConfig` describes, and what it leaves out because it only serves the tests' turns. */
function bareGateway(folder: string): Record<string, string> {
	return {
		OPENCLAW_STATE_DIR: join(folder, "state"),
		OPENCLAW_CONFIG_PATH: join(folder, "openclaw.json"),
		OPENCLAW_SKIP_CHANNELS: "1",
		OPENCLAW_SKIP_CRON: "1",
		OPENCLAW_SKIP_GMAIL_WATCHER: "1",
		OPENCLAW_SKIP_CANVAS_HOST: "1",
		OPENCLAW_EXEC_SHELL_SNAPSHOT: "0",
	};
}
