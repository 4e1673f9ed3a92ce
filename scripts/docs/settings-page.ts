import { type Setting, settings } from "../../bridge/src/config/settings.ts";
import { cell } from "./json-schema-text.ts";

const INTRODUCTION = `# Settings

Everything is set by environment variables; the bridge's own command takes the flags as well, which win. An empty variable counts as unset, a misspelled one is refused at the start. \`xworkmate start\` hands its environment on to the bridge. Times are in milliseconds, sizes in bytes. Secrets have no flag: other users can read a command line.
`;

/** Read by the app and the command; the bridge knows the names and leaves them alone. */
const appSettings: readonly Setting[] = [
	{ name: "XWORKMATE_APP_LISTEN", default: "127.0.0.1:8788", meaning: "Loopback address the app listens on." },
	{ name: "XWORKMATE_BRIDGE_URL", default: "", meaning: "A bridge elsewhere, https beyond loopback; unset: the one of this home." },
];

const AGENT_VARIABLE =
	"`XWORKMATE_ARTIFACT_DIRECTORY` is no setting: the bridge gives it to agents. It names the folder into which a run's final files belong.";

/** docs/settings.md: every variable that is read, with its default and its flag. */
export function settingsPage(): string {
	return [
		INTRODUCTION,
		"## The bridge\n",
		table(settings),
		"\n## The app and the command\n",
		"Besides `XWORKMATE_HOME` and `XWORKMATE_TOKEN`:\n",
		table(appSettings),
		`\n${AGENT_VARIABLE}\n`,
	].join("\n");
}

function table(rows: readonly Setting[]): string {
	const lines = rows.map(
		({ name, default: value, flag, meaning }) =>
			`| \`${name}\` | ${value === "" ? "" : `\`${value}\``} | ${flag === undefined ? "" : `\`${flag}\``} | ${cell(meaning)} |`,
	);
	return ["| variable | default | flag | meaning |", "|---|---|---|---|", ...lines].join("\n");
}
