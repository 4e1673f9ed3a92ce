import { appSettings, bridgeSettings, meaningInText, type Setting } from "../../platform/src/settings/setting-list.ts";
import { cell } from "./json-schema-text.ts";

const INTRODUCTION = `# Settings

Settings are changed on the page under Settings, with a command, or in \`config.json\` in XWorkmate's home (by default \`~/.xworkmate/config.json\`). Where the table has no name for \`config.json\`, as for \`XWORKMATE_HOME\` and \`XWORKMATE_TOKEN\`, it can't be set there, and neither can a secret, whose name is the one that \`config secret\` takes. Each can come from an environment variable, and those of a bridge that you start yourself (\`npm run -s xworkmate -- bridge -- FLAGS\`), except secrets, from a flag. A flag takes precedence over the environment, the environment over \`config.json\`, and \`config.json\` over the default. The page and the command show where each value comes from.

\`\`\`sh
npm run -s xworkmate -- config list
npm run -s xworkmate -- config set maxActiveRuns 8
npm run -s xworkmate -- config get maxActiveRuns
npm run -s xworkmate -- config unset maxActiveRuns
npm run -s xworkmate -- config path
npm run -s xworkmate -- config edit
\`\`\`

\`config.json\` is JSON in which comments and trailing commas are allowed:

\`\`\`json
{
	// Times are in milliseconds, sizes in bytes.
	"maxActiveRuns": 8,
	"allowedRoots": ["/home/you/projects"],
	"openclawUntested": true
}
\`\`\`

[config.schema.json](config.schema.json) is its schema; the member \`$schema\` is allowed for editors. A member that is unknown or wrong is refused with its line and column, and so is a damaged file: XWorkmate does not start with it, because a setting that it ignored might be a limit that you rely on. While XWorkmate is running, it notices when the file changes. Settings marked "at once" then take effect; the others of the bridge wait until it restarts, which the page offers, as does \`npm run -s xworkmate -- config apply\`; the others of the app wait until XWorkmate is stopped and started again. If the file can't be used, the previous settings stay in effect, and the page and \`config list\` say what is wrong.

Secrets are never in \`config.json\`, and have no flag, because other users can read a command line. They come from the environment, or from files of their own, which only you can read: \`npm run -s xworkmate -- config secret openclawToken\` asks for one and stores it in \`bridge/openclaw-token\` in the home; with \`--remove\`, it removes it.

In the environment an empty variable is the same as an unset one, a misspelled one is refused at startup, and a switch is 1 or 0. \`npm start\` passes its environment on to the bridge.
`;

const AGENT_VARIABLE =
	"`XWORKMATE_ARTIFACT_DIRECTORY` is not a setting: it stands for the folder for a run's final files. Commands that OpenClaw runs have it in their environment. Other agents do not, because one process of theirs works on many runs: they are told the folder itself.";

const AGENTS = `## Your own agents

\`<home>/providers.json\` (by default \`~/.xworkmate/providers.json\`) adds agents that speak the Agent Client Protocol, or replaces those of the catalogue with the same id; XWorkmate's own, \`assistant\`, \`script\` and \`openclaw\`, can't be replaced. An agent is started by a command (\`command\`: a name on PATH, an absolute path, or a path in the home), or from a package with \`npx\` or \`uvx\`. Restart the bridge after a change (\`npm run -s xworkmate -- config apply --restart\`), then check it with \`npm run -s xworkmate -- doctor\`.

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

/** docs/settings.md: every setting with its names, its default and what it means. */
export function settingsPage(): string {
	return [
		INTRODUCTION,
		"## The bridge\n",
		table(bridgeSettings),
		"\n## The app and the command\n",
		"In addition to `XWORKMATE_HOME` and `XWORKMATE_TOKEN`:\n",
		table(appSettings),
		`\n${AGENT_VARIABLE}\n`,
		AGENTS,
	].join("\n");
}

function table(rows: readonly Setting[]): string {
	const code = (text: string | undefined) => (text === undefined || text === "" ? "" : `\`${text}\``);
	const lines = rows.map((row) => {
		const { name, key, default: value, flag, live, inFile, secretFile } = row;
		const place = inFile ? code(key) : secretFile === undefined ? "" : `${code(key)} (secret)`;
		return `| \`${name}\` | ${place} | ${code(value)} | ${code(flag)} | ${live ? "at once" : ""} | ${cell(meaningInText(row))} |`;
	});
	return ["| variable | in config.json | default | flag | applies | meaning |", "|---|---|---|---|---|---|", ...lines].join("\n");
}
