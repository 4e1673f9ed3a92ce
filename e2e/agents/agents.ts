/** Real ACP agents the end-to-end tests run, each in its own folder with exact versions in its package.json. */
export const agentNames = ["goose", "codex", "claude", "opencode", "gemini"] as const;
export type AgentName = (typeof agentNames)[number];

export interface AgentPackage {
	/** npm package, as in `<name>/package.json`. */
	readonly packageName: string;
	/** Path of the start script inside the package. */
	readonly bin: string;
	/** How the start script is run. */
	readonly runtime: "node" | "binary";
}

export const agentPackages: Record<AgentName, AgentPackage> = {
	goose: { packageName: "@aaif/goose-acp", bin: "bin/goose.mjs", runtime: "node" },
	codex: { packageName: "@agentclientprotocol/codex-acp", bin: "dist/index.js", runtime: "node" },
	claude: { packageName: "@agentclientprotocol/claude-agent-acp", bin: "dist/index.js", runtime: "node" },
	opencode: { packageName: "opencode-ai", bin: "bin/opencode.exe", runtime: "binary" },
	gemini: { packageName: "@google/gemini-cli", bin: "bundle/gemini.js", runtime: "node" },
};

/** Everything that is installed into its own folder: the agents, and the OpenClaw gateway with its lock file. */
export const programNames = [...agentNames, "openclaw"] as const;
export type ProgramName = (typeof programNames)[number];

/** Unusable until their install scripts have run: they put the platform's binary in place of a stub, or settle the package. */
export const needInstallScripts: readonly ProgramName[] = ["opencode", "openclaw"];

export function isProgramName(name: string): name is ProgramName {
	return (programNames as readonly string[]).includes(name);
}

export function isAgentName(name: string): name is AgentName {
	return (agentNames as readonly string[]).includes(name);
}
