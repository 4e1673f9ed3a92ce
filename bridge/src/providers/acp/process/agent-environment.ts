import { delimiter } from "node:path";

/** A process's variables as the operating system gives them. */
export type Environment = Readonly<Record<string, string | undefined>>;

// XWORKMATE_* and OPENCLAW_* hold the tokens of the bridge and the gateway. The others describe the npm or test process that started the
// bridge, and would mislead an agent that is itself a Node program.
const withheld = [/^XWORKMATE_/i, /^OPENCLAW_/i, /^npm_(lifecycle|package|command|execpath|node_execpath)/i, /^npm_config_local_prefix$/i];
const withheldNames = new Set([
	"INIT_CWD",
	"NODE_CHANNEL_FD",
	"NODE_UNIQUE_ID",
	"NODE_TEST_CONTEXT",
	"NODE_V8_COVERAGE",
	"VITEST",
	"VITEST_MODE",
]);
const withheldPrefixes = ["VITEST_", "TEST_WORKER"];

/**
 * An agent's variables: the bridge's, except those that are withheld, overridden by the agent's own.
 * @param defaults apply only to variables that the environment does not set
 */
export function agentEnvironment(
	base: Environment,
	defaults: Readonly<Record<string, string>>,
	definition: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
	const inherited = Object.entries(base).filter((entry): entry is [string, string] => entry[1] !== undefined && !isWithheld(entry[0]));
	return { ...defaults, ...Object.fromEntries(inherited), ...definition };
}

/** The environment with a folder added at the end of PATH, unless PATH already contains it. */
export function withLastPath(environment: Readonly<Record<string, string>>, folder: string | undefined): Readonly<Record<string, string>> {
	const folders = (environment.PATH ?? "").split(delimiter).filter((one) => one !== "");
	return folder === undefined || folders.includes(folder) ? environment : { ...environment, PATH: [...folders, folder].join(delimiter) };
}

function isWithheld(name: string): boolean {
	return withheldNames.has(name) || withheldPrefixes.some((prefix) => name.startsWith(prefix)) || withheld.some((form) => form.test(name));
}
