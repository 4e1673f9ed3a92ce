import { ProviderId } from "@xworkmate/contracts";

/** An agent that the bridge can start if its command is installed. */
export interface CatalogueEntry {
	readonly providerId: ProviderId;
	readonly label: string;
	/** Looked up on PATH. */
	readonly command: string;
	readonly args: readonly string[];
	/** Set unless the environment already has the variable; makes the agent ask before it acts. */
	readonly defaultEnvironment: Readonly<Record<string, string>>;
	/** A command that installs it. */
	readonly install: string;
	/** A terminal command that logs it in. */
	readonly login: string;
	/** Whether a conversation outlives the agent's process. */
	readonly resumes: boolean;
	/** Why session/load is not used although the agent offers it. */
	readonly loadDefect?: string;
}

function entry(id: string, label: string, rest: Omit<CatalogueEntry, "providerId" | "label">): CatalogueEntry {
	return { providerId: ProviderId.parse(id), label, ...rest };
}

/** The agents that the requirements name (T4-38) and others that were measured with them, each started so that it asks before it acts. */
export const catalogue: readonly CatalogueEntry[] = [
	entry("codex", "Codex", {
		command: "codex-acp",
		args: [],
		defaultEnvironment: { INITIAL_AGENT_MODE: "read-only" },
		install: "npm install -g @agentclientprotocol/codex-acp",
		login: "codex login",
		resumes: true,
	}),
	entry("opencode", "OpenCode", {
		command: "opencode",
		args: ["acp"],
		defaultEnvironment: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ permission: { edit: "ask", bash: "ask" } }) },
		install: "npm install -g opencode-ai",
		login: "opencode auth login",
		resumes: true,
	}),
	entry("gemini", "Gemini CLI", {
		command: "gemini",
		args: ["--acp", "--skip-trust"],
		defaultEnvironment: {},
		install: "npm install -g @google/gemini-cli",
		login: "gemini",
		resumes: false,
		loadDefect: "its session/load destroys a conversation that was created in the same minute",
	}),
	entry("hermes", "Hermes", {
		command: "hermes",
		args: ["acp"],
		defaultEnvironment: {},
		install: 'uv tool install "hermes-agent[acp]"',
		login: "hermes acp --setup",
		resumes: true,
	}),
	entry("goose", "goose", {
		command: "goose",
		args: ["acp", "--with-builtin", "developer"],
		defaultEnvironment: { GOOSE_MODE: "approve" },
		install: "npm install -g @aaif/goose-acp",
		login: "goose configure",
		resumes: true,
	}),
	entry("claude", "Claude", {
		command: "claude-agent-acp",
		args: [],
		defaultEnvironment: {},
		install: "npm install -g @agentclientprotocol/claude-agent-acp",
		login: "claude /login",
		resumes: true,
	}),
	entry("qwen", "Qwen Code", {
		command: "qwen",
		args: ["--acp", "--approval-mode", "default"],
		defaultEnvironment: {},
		install: "npm install -g @qwen-code/qwen-code",
		login: "qwen",
		resumes: true,
	}),
];
