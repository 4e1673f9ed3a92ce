import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv, execPath, exit, stdout } from "node:process";
import { fileURLToPath } from "node:url";
import { type AgentName, agentNames, agentPackages, isAgentName } from "./agents.ts";

/** An entry of `<home>/providers.json` (docs/protocol.md#files-and-settings). */
export interface AgentDefinition {
	readonly id: string;
	readonly name: string;
	readonly distribution: {
		readonly command: { readonly cmd: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };
	};
}

interface Place {
	/** The fake model's address, without a path. */
	readonly modelUrl: string;
	/** Absolute; the agent's own HOME. */
	readonly home: string;
}

interface Setup {
	readonly args: readonly string[];
	/** Writes what the agent reads at its start; returns its variables. */
	readonly prepare: (place: Place) => Readonly<Record<string, string>>;
}

const setups: Record<AgentName, Setup> = {
	goose: {
		args: ["acp", "--with-builtin", "developer"],
		prepare: ({ modelUrl }) => ({
			GOOSE_PROVIDER: "openai",
			GOOSE_MODEL: "fake-model",
			GOOSE_MODE: "approve",
			GOOSE_DISABLE_KEYRING: "1",
			OPENAI_HOST: modelUrl,
			OPENAI_BASE_PATH: "v1/chat/completions",
			OPENAI_API_KEY: "dummy",
		}),
	},
	codex: {
		args: [],
		prepare: ({ modelUrl, home }) => {
			write(join(home, "codex"), "config.toml", codexConfig(modelUrl));
			return {
				CODEX_HOME: join(home, "codex"),
				FAKE_KEY: "dummy",
				MODEL_PROVIDER: "fake",
				INITIAL_AGENT_MODE: "read-only",
				NO_BROWSER: "1",
			};
		},
	},
	claude: {
		args: [],
		prepare: ({ modelUrl, home }) => ({
			ANTHROPIC_BASE_URL: modelUrl,
			ANTHROPIC_API_KEY: "dummy",
			ANTHROPIC_MODEL: "claude-sonnet-4-5",
			CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
			CLAUDE_CONFIG_DIR: join(home, "claude"),
			ENABLE_TOOL_SEARCH: "false",
		}),
	},
	opencode: {
		args: ["acp"],
		prepare: ({ modelUrl }) => ({
			OPENCODE_CONFIG_CONTENT: JSON.stringify(opencodeConfig(modelUrl)),
			OPENCODE_DISABLE_MODELS_FETCH: "1",
			OPENCODE_DISABLE_AUTOUPDATE: "1",
		}),
	},
	gemini: {
		args: ["--acp", "--skip-trust"],
		prepare: ({ modelUrl, home }) => {
			write(join(home, ".gemini"), "settings.json", JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } } }));
			return { GEMINI_API_KEY: "dummy", GOOGLE_GEMINI_BASE_URL: modelUrl };
		},
	},
};

/**
 * How to start an installed agent against the fake model, asking before it acts, with its own HOME
 * (which this fills). Install it first (install.ts).
 */
export function agentDefinition(name: AgentName, place: Place): AgentDefinition {
	const { packageName, bin, runtime } = agentPackages[name];
	const { args, prepare } = setups[name];
	mkdirSync(place.home, { recursive: true });
	const script = join(fileURLToPath(new URL(".", import.meta.url)), name, "node_modules", packageName, bin);
	const env = { HOME: place.home, ...prepare(place) };
	const command = runtime === "node" ? { cmd: execPath, args: [script, ...args] } : { cmd: script, args };
	return { id: name, name, distribution: { command: { ...command, env } } };
}

function write(folder: string, name: string, text: string): void {
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, name), text);
}

function codexConfig(modelUrl: string): string {
	return `model = "gpt-5.5"
model_provider = "fake"
approval_policy = "on-request"

[model_providers.fake]
name = "fake"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
`;
}

function opencodeConfig(modelUrl: string): object {
	const options = { baseURL: `${modelUrl}/v1`, apiKey: "dummy" };
	return {
		provider: { fake: { npm: "@ai-sdk/openai-compatible", name: "Fake", options, models: { "fake-model": { name: "Fake" } } } },
		model: "fake/fake-model",
		small_model: "fake/fake-model",
		permission: { edit: "ask", bash: "ask" },
	};
}

/** `node definitions.ts <agent> <model url> <home>` prints the entry as JSON. */
if (import.meta.main) {
	const [name = "", modelUrl = "", home = ""] = argv.slice(2);
	if (!isAgentName(name) || modelUrl === "" || home === "") {
		console.error(`usage: node e2e/agents/definitions.ts <agent> <model url> <home>   agents: ${agentNames.join(", ")}`);
		exit(2);
	}
	stdout.write(`${JSON.stringify(agentDefinition(name, { modelUrl, home }))}\n`);
}
