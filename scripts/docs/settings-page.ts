import { type Setting, settings } from "../../bridge/src/config/settings.ts";
import { cell } from "./json-schema-text.ts";

const INTRODUCTION = `# Settings

XWorkmate is configured with environment variables. The bridge's own command (\`npm run -s xworkmate -- bridge -- FLAGS\`) also takes flags, which override them. An empty variable is the same as an unset one, and a misspelled one is refused at startup. \`npm start\` passes its environment on to the bridge. Times are in milliseconds, sizes in bytes. Secrets have no flag, because other users can read a command line.
`;

/** Settings of the app and the command; the bridge knows the names and ignores them. */
const appSettings: readonly Setting[] = [
	{ name: "XWORKMATE_APP_LISTEN", default: "127.0.0.1:8788", meaning: "Loopback address the app listens on." },
	{ name: "XWORKMATE_BRIDGE_URL", default: "", meaning: "A bridge elsewhere, https beyond loopback; unset: the one of this home." },
];

const AGENT_VARIABLE =
	"`XWORKMATE_ARTIFACT_DIRECTORY` is not a setting: the bridge sets it for agents. It names the folder for a run's final files.";

const AGENTS = `## Your own agents

\`<home>/providers.json\` (by default \`~/.xworkmate/providers.json\`) adds agents that speak the Agent Client Protocol, or replaces built-in ones of the same id. An agent is started by a command on PATH (\`command\`), or from a package with \`npx\` or \`uvx\`. Restart the bridge after a change, then check it with \`npm run -s xworkmate -- doctor\`.

\`\`\`json
{
	"agents": [
		{
			"id": "my-agent",
			"name": "My agent",
			"distribution": { "command": { "cmd": "my-agent", "args": ["--acp"], "env": { "MY_AGENT_MODE": "ask" } } }
		},
		{
			"id": "packaged",
			"name": "An agent from npm",
			"distribution": { "npx": { "package": "@example/agent-acp@1.2.3", "args": ["--stdio"] } }
		}
	]
}
\`\`\`
`;

/** docs/settings.md: every variable that is read, with its default and its flag. */
export function settingsPage(): string {
	return [
		INTRODUCTION,
		"## The bridge\n",
		table(settings),
		"\n## The app and the command\n",
		"In addition to `XWORKMATE_HOME` and `XWORKMATE_TOKEN`:\n",
		table(appSettings),
		`\n${AGENT_VARIABLE}\n`,
		AGENTS,
	].join("\n");
}

function table(rows: readonly Setting[]): string {
	const lines = rows.map(
		({ name, default: value, flag, meaning }) =>
			`| \`${name}\` | ${value === "" ? "" : `\`${value}\``} | ${flag === undefined ? "" : `\`${flag}\``} | ${cell(meaning)} |`,
	);
	return ["| variable | default | flag | meaning |", "|---|---|---|---|", ...lines].join("\n");
}
