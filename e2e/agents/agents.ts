/** Real ACP agents the end-to-end tests run, each in its own folder with exact versions in its package.json. */
export const agentNames = ["goose", "codex", "claude", "opencode", "gemini"] as const;
export type AgentName = (typeof agentNames)[number];

export interface AgentPackage {
	/** npm package, as in `<name>/package.json`. */
	readonly packageName: string;
	/** Path of the start script inside the package. */
	readonly bin: string;
	/** Whether the package is unusable until its install script has run. */
	readonly needsScripts: boolean;
	/** How the start script is run. */
	readonly runtime: "node" | "binary";
}

export const agentPackages: Record<AgentName, AgentPackage> = {
	goose: { packageName: "@aaif/goose-acp", bin: "bin/goose.mjs", needsScripts: false, runtime: "node" },
	codex: { packageName: "@agentclientprotocol/codex-acp", bin: "dist/index.js", needsScripts: false, runtime: "node" },
	claude: { packageName: "@agentclientprotocol/claude-agent-acp", bin: "dist/index.js", needsScripts: false, runtime: "node" },
	// Its install script puts the platform's binary in place of a stub.
	opencode: { packageName: "opencode-ai", bin: "bin/opencode.exe", needsScripts: true, runtime: "binary" },
	gemini: { packageName: "@google/gemini-cli", bin: "bundle/gemini.js", needsScripts: false, runtime: "node" },
};

/** Everything that is installed into a folder of its own: the agents, and the OpenClaw gateway with its lock file. */
export const programNames = [...agentNames, "openclaw"] as const;
export type ProgramName = (typeof programNames)[number];

export function isProgramName(name: string): name is ProgramName {
	return (programNames as readonly string[]).includes(name);
}

export function isAgentName(name: string): name is AgentName {
	return (agentNames as readonly string[]).includes(name);
}
