import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AgentName, agentPackages } from "../agents/agents.ts";
import type { AgentEntry } from "./providers.ts";
import type { TemporaryHome } from "./temporary-home.ts";

const agentsFolder = fileURLToPath(new URL("../agents/", import.meta.url));

interface Settings {
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	/** Files under the home, written before the agent starts. */
	readonly files?: Readonly<Record<string, string>>;
}

/** How each agent is pointed at the fake model and made to ask before it acts. */
const settings: Record<AgentName, (model: string, home: string) => Settings> = {
	goose: (model) => ({
		args: ["acp", "--with-builtin", "developer"],
		env: {
			GOOSE_PROVIDER: "openai",
			GOOSE_MODEL: "fake-model",
			OPENAI_HOST: model,
			OPENAI_BASE_PATH: "v1/chat/completions",
			OPENAI_API_KEY: "dummy",
			GOOSE_DISABLE_KEYRING: "1",
			GOOSE_MODE: "approve",
		},
	}),
	codex: (model, home) => ({
		args: [],
		env: { CODEX_HOME: join(home, ".codex"), MODEL_PROVIDER: "fake", INITIAL_AGENT_MODE: "read-only", NO_BROWSER: "1", FAKE_KEY: "dummy" },
		files: {
			".codex/config.toml": `model = "gpt-5.5"\nmodel_provider = "fake"\napproval_policy = "on-request"\n[model_providers.fake]\nname = "fake"\nbase_url = "${model}/v1"\nwire_api = "responses"\nenv_key = "FAKE_KEY"\n`,
		},
	}),
	claude: (model, home) => ({
		args: [],
		env: {
			ANTHROPIC_BASE_URL: model,
			ANTHROPIC_API_KEY: "dummy",
			ANTHROPIC_MODEL: "claude-sonnet-4-5",
			CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
			CLAUDE_CONFIG_DIR: join(home, ".claude"),
			ENABLE_TOOL_SEARCH: "false",
		},
	}),
	opencode: (model) => ({
		args: ["acp"],
		env: { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_CONFIG_CONTENT: JSON.stringify(openCodeConfiguration(model)) },
	}),
	gemini: (model) => ({
		args: ["--acp", "--skip-trust"],
		env: { GEMINI_API_KEY: "dummy", GOOGLE_GEMINI_BASE_URL: model },
		files: { ".gemini/settings.json": JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } } }) },
	}),
};

function openCodeConfiguration(model: string): object {
	const options = { baseURL: `${model}/v1`, apiKey: "dummy" };
	const models = { "fake-model": { name: "fake-model" }, "fake-small": { name: "fake-small" } };
	return {
		provider: { fake: { npm: "@ai-sdk/openai-compatible", name: "fake", options, models } },
		model: "fake/fake-model",
		small_model: "fake/fake-small",
		permission: { edit: "ask", bash: "ask", external_directory: "ask" },
		autoupdate: false,
		share: "disabled",
	};
}

/** The entry of an installed agent that speaks to the model at `modelUrl`, with its settings in `home`. */
export async function realAgent(name: AgentName, home: TemporaryHome, modelUrl: string): Promise<AgentEntry> {
	const { args, env, files = {} } = settings[name](modelUrl, home.path);
	for (const [path, text] of Object.entries(files)) {
		await mkdir(join(home.path, path, ".."), { recursive: true });
		await writeFile(join(home.path, path), text);
	}
	const { packageName, bin, runtime } = agentPackages[name];
	const script = join(agentsFolder, name, "node_modules", packageName, bin);
	const command = runtime === "node" ? { cmd: process.execPath, args: [script, ...args] } : { cmd: script, args };
	return { id: `real-${name}`, name: `${name} against the fake model`, distribution: { command: { ...command, env: { ...env } } } };
}
